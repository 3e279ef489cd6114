// Reads an access log from standard input: `<ip> <method> <path> <status> <milliseconds>` per line.
process.stdin.resume();
