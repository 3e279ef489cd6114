import type { Argument } from "../argument.ts";
import { namesOf } from "./arguments.ts";

/** Programs that contact other machines, whatever their arguments. */
const ALWAYS =
  namesOf(`curl wget ssh scp sftp rsync nc ncat netcat telnet ftp ping ping6 traceroute tracepath mtr dig nslookup host whois http https xh aria2c
  socat gh glab aws gcloud az kubectl helm terraform rclone lynx w3m links elinks mail mailx sendmail mutt ssh-keyscan ssh-copy-id docker
  podman nerdctl uvx pipx nmap hping3 mosh tftp smbclient ldapsearch psql mysql redis-cli mongosh sqlplus 
  yt-dlp youtube-dl ipfs ngrok cloudflared tailscale fly heroku vercel netlify wscat
  websocat grpcurl iperf iperf3 git-remote-https`);

/** Subcommands and arguments with which other programs do. The first operand decides. */
const SOMETIMES: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [
    /^(?:npm|pnpm|yarn|bun)$/,
    /^(?:i|in|ins|install|ci|it|cit|add|up|upgrade|update|dlx|create|init|publish|unpublish|view|info|show|search|login|logout|adduser|whoami|audit|outdated|fund|pack|ping|token|owner|access|team|star|stars|dist-tag|deprecate|profile|hook|org|doctor|import|dedupe|link)$/,
  ],
  [/^pip3?(?:\.\d+)?$/, /^(?:install|download|index|search|wheel)$/],
  [/^uv$/, /^(?:add|sync|lock|pip|tool|python|publish|self|x|init)$/],
  [
    /^(?:poetry|pipenv|pdm|hatch|rye|bundle|composer|mix|rebar3|dart|flutter|pub)$/,
    /^(?:install|add|update|lock|publish|require|self|outdated|deps\.get|get|pub)$/,
  ],
  [/^cargo$/, /^(?:add|install|fetch|update|publish|search|login|owner|yank)$/],
  [/^go$/, /^(?:get|install|mod)$/],
  [/^openssl$/, /^(?:s_client|s_server|s_time|ocsp)$/],
  [/^(?:http\.server|ensurepip|smtpd|smtplib|ftplib|telnetlib|webbrowser|pydoc|SimpleHTTPServer|xmlrpc\.server)$/, /^/],
];

export function contactsOthers(name: string, args: readonly Argument[]): boolean {
  const word = args.find(({ value }) => !value.startsWith("-"))?.value ?? "";
  return (
    ALWAYS.has(name) ||
    SOMETIMES.some(([program, words]) => program.test(name) && words.test(word)) ||
    (LOADS.test(name) && args.some(({ value }) => URL.test(value)))
  );
}

/** Programs that load code from an address. */
const LOADS = /^(?:deno|bun|node|tsx|go|python[\d.]*|pip[\d.]*)$/;
const URL = /^(?:[\w-]+=)?(?:https?|ftp|git|jsr|npm):/i;
