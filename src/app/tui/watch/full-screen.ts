import { writeSync } from "node:fs";
import { constants } from "node:os";

/** The other screen, without a cursor; a line that is wider than we believe must not wrap. */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[H";
const LEAVE = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

const STDOUT = 1;

export interface FullScreen {
  /** Stops this process as Ctrl-Z does, and takes the screen again when it goes on. */
  suspend(): void;
  /** The terminal as it was. May be called again. */
  leave(): void;
}

/** Takes the terminal. Whatever ends this process, but SIGKILL, gives it back: also an error that nobody expected. */
export function fullScreen(onContinue: () => void): FullScreen {
  let isOurs = false;
  take();
  process.on("exit", give);
  process.prependListener("uncaughtException", give); // before the error is told, which would be lost with the other screen
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", goOn);

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

  function goOn(): void {
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
      process.off("SIGCONT", goOn);
      give();
    },
  };
}

/** At once: on the way out nothing is waited for. */
function put(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // The terminal is gone, or full; there is nobody to tell.
  }
}
