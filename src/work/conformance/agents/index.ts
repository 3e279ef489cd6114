export { pins } from "./pins.ts";
