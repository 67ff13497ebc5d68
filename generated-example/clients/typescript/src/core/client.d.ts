// Part of every client that restwell generates. Do not edit.

export { Client, NotModified, metadata } from "./types.js";
