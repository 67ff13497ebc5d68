export { Client, NotModified } from "./types.js";
