import { describe, expect, test } from "vitest";
import { judge, networkPolicy } from "../../../src/host/proxy/policy.ts";
import { isPublic, plainAddress, targetOf } from "../../../src/host/proxy/target.ts";

const verdict = (policy: string, authority: string) => {
  const target = targetOf(authority);
  return target !== undefined && judge(networkPolicy(policy), target).isAllowed;
};

describe("a policy judges the name that the client asked for", () => {
  test.each([
    ["model", "api.example.org:443", false],
    ["none", "api.example.org:443", false],
    ["open", "api.example.org:443", true],
    ["open", "api.example.org:8443", true],
    ["allow:github.com", "github.com:443", true],
    ["allow:github.com", "GitHub.COM:443", true],
    ["allow:github.com", "github.com.:443", true],
    ["allow:GitHub.com.", "github.com:80", true],
    ["allow:github.com", "github.com:22", false],
    ["allow:github.com:22", "github.com:22", true],
    ["allow:github.com:22", "github.com:443", false],
    ["allow:github.com", "api.github.com:443", false],
    ["allow:github.com", "evilgithub.com:443", false],
    ["allow:github.com", "github.com.evil.org:443", false],
    ["allow:*.github.com", "api.github.com:443", true],
    ["allow:*.github.com", "a.b.github.com:443", true],
    ["allow:*.github.com", "github.com:443", false],
    ["allow:*.github.com", "xgithub.com:443", false],
    ["allow:a.org, b.org", "b.org:443", true],
    ["allow:127.0.0.1:8080", "127.0.0.1:8080", true],
    ["allow:127.0.0.1:8080", "localhost:8080", true],
    ["allow:localhost:8080", "127.0.0.1:8080", true],
    ["allow:127.0.0.1:8080", "127.0.0.1:8081", false],
    ["allow:10.1.2.3", "10.1.2.3:443", true],
    ["allow:10.1.2.3", "[::ffff:10.1.2.3]:443", true],
    ["allow:[::1]:8080", "[0:0:0:0:0:0:0:1]:8080", true],
    ["allow:bücher.example", "xn--bcher-kva.example:443", true],
    ["allow:github.com", "gіthub.com:443", false], // a Cyrillic letter
  ])("%s and %s: %s", (policy, authority, isAllowed) => {
    expect(verdict(policy, authority)).toBe(isAllowed);
  });

  test.each([
    "",
    "allow",
    "allow:",
    "allow:,",
    "allow:a.org,",
    "models",
    "allow:http://a.org",
    "allow:*",
    "allow:*.1.2.3.4",
    "allow:a b",
    "allow:u@a.org",
    "allow:127.1",
  ])("rejects the policy %j with a remedy", (text) => {
    expect(() => networkPolicy(text)).toThrow(/Use model, open, none, or allow:/);
  });
});

test.each([
  "127.1:80",
  "0x7f.1:80",
  "0x7f000001:80",
  "2130706433:80",
  "0177.0.0.1:80",
  "127.0.0.1.:80",
  "127.0.0.01:80",
  "1.2.3.4.5:80",
  "example.0x10:80",
  "user@example.org:80",
  "user:password@example.org:80",
  "example.org",
  "example.org:0",
  "example.org:65536",
  "example.org:443:443",
  "example..org:443",
  "-example.org:443",
  ".example.org:443",
  "exa mple.org:443",
  "example.org\t:443",
  "bücher.example:443",
  "example.org%00:443",
  "[::1%lo]:80",
  "[127.0.0.1]:80",
  "::1:80",
  "[]:80",
  "/etc/passwd:80",
  `${"a".repeat(64)}.org:443`,
])("does not guess what %j means", (authority) => {
  expect(targetOf(authority)).toBeUndefined();
});

test("an IPv4 address inside an IPv6 address is that address", () => {
  expect(plainAddress("::ffff:127.0.0.1")).toBe("127.0.0.1");
  expect(plainAddress("::ffff:7f00:1")).toBe("127.0.0.1");
  expect(plainAddress("0:0:0:0:0:ffff:a9fe:a9fe")).toBe("169.254.169.254");
  expect(targetOf("[::FFFF:127.0.0.1]:80")).toEqual({ host: "127.0.0.1", port: 80, isAddress: true });
});

test.each([
  ["8.8.8.8", true],
  ["1.1.1.1", true],
  ["2606:4700:4700::1111", true],
  ["0.0.0.0", false],
  ["0.1.2.3", false],
  ["10.0.0.1", false],
  ["100.100.100.200", false],
  ["127.0.0.1", false],
  ["127.255.255.254", false],
  ["168.63.129.16", false],
  ["169.254.169.254", false],
  ["172.16.0.1", false],
  ["172.31.255.255", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::127.0.0.1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["2001:0:1::", false],
  ["fd00:ec2::254", false],
  ["fe80::1", false],
  ["fec0::1", false],
  ["ff02::1", false],
  ["not an address", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
