// Runs packed programs (`conformance/src/bin/pack.rs`) in WebAssembly, on the interpreter and on the evaluator of converted programs,
// and prints the digest of each, then the line of `vlad conform --digest`:
//
//     node digest.mjs vlad_portable.wasm programs.jsonl [--each]
//
// The two evaluators have to agree.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [wasm, programs, each] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(wasm));
// What dependencies would ask of a page - a clock - is not called.
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function") (imports[from] ??= {})[name] = () => { throw new Error(`${name} is called`); };
}

const start = () => new WebAssembly.Instance(module, imports).exports;
let machine = start();

function digest(text, evaluator) {
    const bytes = new TextEncoder().encode(text);
    const size = Math.max(bytes.length, 64);
    try {
        const at = machine.allocate(size);
        const memory = new Uint8Array(machine.memory.buffer, at, size);
        memory.fill(32).set(bytes);
        const found = machine.digest(at, size, evaluator);
        const digits = found ? new TextDecoder().decode(new Uint8Array(machine.memory.buffer, at, 64)) : "none";
        machine.release(at, size);
        return digits;
    } catch (error) {
        // After a trap nothing is known of the memory.
        machine = start();
        return `trap: ${error.message}`;
    }
}

const all = [];
let failures = 0;
for (const line of readFileSync(programs, "utf8").split("\n").filter((line) => line)) {
    const { path } = JSON.parse(line);
    const [interp, hybrid] = [0, 1].map((evaluator) => digest(line, evaluator));
    if (interp !== hybrid || interp.length !== 64) {
        console.error(`${path}: interp ${interp}, hybrid ${hybrid}`);
        failures += 1;
    }
    if (each) console.log(`${interp} ${path}`);
    all.push(interp);
}
all.sort();
const sum = createHash("sha256").update(all.map((digits) => `${digits}\n`).join("")).digest("hex");
if (!each) console.log(`sha256 ${sum} of ${all.length} programs`);
process.exit(failures ? 1 : 0);
