/** The command line that is running, and where its package lies. */
export interface Self {
  /** The script that Node runs. */
  readonly cli: string;
  /** The folder of `package.json`; the scenarios are in it. */
  readonly root: string;
  /** The MCP server of the scenarios, a script. */
  readonly mcpServer: string;
}
