import type { Argument } from "../argument.ts";

/** What a program does to files. */
export interface Places {
  reads(argument: Argument): void;
  /** `tree`: also everything in it. `named`: only what has such a name in it. `from`: what is copied or moved there. */
  writes(argument: Argument, how: { readonly tree?: boolean; readonly named?: string; readonly from?: Argument }): void;
  /** It may write at places that its text does not show. */
  elsewhere(reason: string): void;
}

export type Effect = (args: readonly Argument[], to: Places, name: string) => void;
