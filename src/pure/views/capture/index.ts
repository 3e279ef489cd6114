export { CAPTURE_VERSION, type Capture, capture } from "./view.ts";
