export { emptyFilter, facets, matches, RunFilters } from "./run-filters.tsx";
export { RunItem } from "./run-item.tsx";
export { useInside } from "./use-inside.ts";
