#!/usr/bin/env node
console.log("serving");
