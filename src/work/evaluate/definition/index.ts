export { openDefinition } from "./options-of.ts";
export { evaluationFile } from "./shape.ts";
export { withControls } from "./with-controls.ts";
