import { constants } from "node:os";
import { sequence, writeNow } from "../../terminal/index.ts";

/** The alternate screen without a cursor, and without wrapping, because a line may be wider than expected. */
const ENTER = ["[?1049h", "[?25l", "[?7l", "[2J", "[H"].map(sequence).join("");
const LEAVE = ["[?2026l", "[0m", "[?7h", "[?25h", "[?1049l"].map(sequence).join("");

export interface FullScreen {
  /** Stops this process like Ctrl-Z, and takes the screen again when it resumes. */
  suspend(): void;
  /** Restores the terminal. Can be called twice. */
  leave(): void;
}

/** Takes the terminal. It is restored however this process ends, except by SIGKILL. */
export function fullScreen(onContinue: () => void): FullScreen {
  let isOurs = false;
  take();
  process.on("exit", give);
  process.prependListener("uncaughtException", give); // before the error is printed, or it would be lost with the alternate screen
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", resume);

  function take(): void {
    isOurs = true;
    process.stdin.setRawMode(true);
    put(ENTER);
  }

  function give(): void {
    if (!isOurs) return;
    isOurs = false;
    put(LEAVE);
    try {
      process.stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  }

  function resume(): void {
    if (!isOurs) take();
    onContinue();
  }

  function suspend(): void {
    give();
    process.kill(process.pid, constants.signals.SIGSTOP);
  }

  return {
    suspend,
    leave() {
      process.off("exit", give);
      process.off("uncaughtException", give);
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", resume);
      give();
    },
  };
}

/** Synchronous, because nothing is awaited on exit. */
function put(text: string): void {
  try {
    writeNow(text);
  } catch {
    // The terminal is gone or full.
  }
}
