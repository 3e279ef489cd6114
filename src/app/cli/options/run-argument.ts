export const SIGN = "sign with this SSH key: a private key, or a public key whose private key is in ssh-agent";
export const RUN = "a run: its id, a unique prefix, last, or its directory";
