/** The only way out of a sealed run: a proxy that judges, records and carries every connection. */

export type { Answerer, AskedRequest, Reply } from "./answerer.ts";
export type { Connection } from "./connection.ts";
export type { RequestHead, ResponseHead, Tap, Watcher } from "./exchange.ts";
export { openWire, type Wiring } from "./open-wire.ts";
export type { RoutedAgent } from "./route.ts";
export { checkNetwork, type NetworkOptions, type SealedNetwork, sealNetwork } from "./sealed-network.ts";
