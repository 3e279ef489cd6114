export { type ListHandle, VirtualList } from "./virtual-list.tsx";
