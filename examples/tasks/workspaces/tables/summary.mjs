// Reads an access log on standard input: `<ip> <method> <path> <status> <milliseconds>` per line.
process.stdin.resume();
