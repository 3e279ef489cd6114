import { Component, type ComponentChildren } from "preact";
import { Notice } from "./notice.tsx";

/** A screen that breaks says so, and the others go on. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly words?: string }> {
  override state: { readonly words?: string } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { words: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { words } = this.state;
    if (words === undefined) return this.props.children;
    return (
      <Notice title="This screen broke" next={{ words: "Load it again", act: () => location.reload() }}>
        {words}. What was recorded is not touched by it.
      </Notice>
    );
  }
}
