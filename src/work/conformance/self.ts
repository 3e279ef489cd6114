/** The running command line and its package. */
export interface Self {
  readonly cli: string;
  /** The folder with `package.json` and the scenarios. */
  readonly root: string;
  /** The script of the scenarios' MCP server. */
  readonly mcpServer: string;
}
