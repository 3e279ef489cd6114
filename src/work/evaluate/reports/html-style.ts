/** One type scale, and few colors with a fixed meaning: blue is a value, green passed, red failed, gray is unknown. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5c6675; --line: #d9dee6; --back: #fbfcfd; --value: #2b66c4; --good: 34, 139, 87; --bad: 196, 58, 58; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #98a3b3; --line: #313945; --back: #12161c; --value: #6fa3f5; --good: 74, 190, 130; --bad: 224, 100, 100; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 32px 20px 80px; }
h1 { font-size: 26px; margin: 0 0 24px; } h2 { font-size: 18px; margin: 40px 0 12px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { text-align: left; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; font-size: 13px; }
.plots { display: flex; flex-wrap: wrap; gap: 32px; margin-top: 32px; }
figure { margin: 0; } figcaption { color: var(--soft); font-size: 13px; margin-bottom: 8px; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
circle, rect { fill: var(--value); } rect.faint { opacity: .3; }
line.range { stroke: var(--value); stroke-width: 3; opacity: .45; } line.grid { stroke: var(--line); }
table:not(.map) :is(th, td):not(:first-child) { text-align: right; padding: 6px 0 6px 22px; }
figure p { color: var(--soft); font-size: 13px; margin: 4px 0 0; } svg text.scale { fill: var(--soft); font-size: 11px; }
.map td { text-align: center; padding: 4px 14px; border: 2px solid var(--back); } .map th { font-weight: 400; } .map thead th:not(:first-child) { text-align: center; padding: 6px 14px; }
.heat { background: color-mix(in srgb, rgb(var(--good)) calc(var(--rate) * 100%), rgb(var(--bad))); color: #fff; }
.none { color: var(--soft); } .map a { color: inherit; text-decoration: none; } .date { color: var(--soft); margin: -20px 0 24px; }
.case { scroll-margin-top: 12px; } .case:target > h3 { color: var(--value); } h3 { font-size: 15px; margin: 24px 0 6px; } h3 small, .step small { color: var(--soft); font-weight: 400; }
h4, .step { font-size: 12px; color: var(--soft); margin: 10px 0 2px; text-transform: uppercase; letter-spacing: .04em; }
details { margin: 4px 0; } details.trial { border-left: 3px solid var(--line); padding-left: 12px; } summary { cursor: pointer; font-variant-numeric: tabular-nums; }
pre { margin: 0; padding: 8px 10px; background: color-mix(in srgb, var(--ink) 5%, transparent); border-radius: 4px; font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 480px; overflow-y: auto; }
b.passed { color: rgb(var(--good)); } b.failed, b.out_of_time { color: rgb(var(--bad)); }
@media print { main { max-width: none; padding: 0; } pre { max-height: none; } .scroll { overflow: visible; } table { white-space: normal; font-size: 11px; } details.trial { break-inside: avoid; } figure { break-inside: avoid; } }
`;
