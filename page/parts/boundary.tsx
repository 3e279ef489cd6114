import { Component, type ComponentChildren } from "preact";
import { Notice } from "./notice.tsx";

/** An error in one screen does not break the others. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly message?: string }> {
  override state: { readonly message?: string } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <Notice title="This screen failed" next={{ label: "Load it again", act: () => location.reload() }}>
        {message}. Your recordings are not affected.
      </Notice>
    );
  }
}
