// The JavaScript part of a session: the bridge to the host (bridge.go), and the changes to the language. It runs before
// any script, saves the built-in functions that it needs, and evaluates to the function that the host calls for
// everything: enter(operation, text, value). It returns a text (readAnswer in bridge.go), a number or a boolean.
//
// The script may change every object that it can reach. So nothing here that the host depends on looks anything up in an
// object of the script's: no methods, no array literals that are read by iteration, and objects without a prototype.
(function (mail) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, construct, ownKeys } = Reflect;
  const { defineProperty, getPrototypeOf, hasOwn } = Object;
  const ring = performance.now, text = String, isNumber = Number.isFinite;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const slice = uncurry(String.prototype.slice), codeAt = uncurry(String.prototype.codePointAt);
  const define = (object, name, value) => defineProperty(object, name,
    { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  // The mailbox, as in bridge.go: a signal and its response, a number, the sizes of two texts, the texts.
  const number = new Float64Array(mail.buffer, mail.byteOffset + 8, 1);
  const sizes = new Uint32Array(mail.buffer, mail.byteOffset + 16, 2);
  const logAt = 32, logSize = 32768, noteAt = logAt + logSize, noteSize = 16384;
  const SUBMIT = 1, RANDOM = 2, ABORT = 3;
  const signal = (what) => { mail[0] = what; ring(); return mail[1]; };

  // write writes a text as UTF-8 to the mailbox and returns the position after it.
  const write = (at, string) => {
    for (let i = 0; i < string.length; i++) {
      let c = codeAt(string, i);
      if (c > 0xFFFF) i++;
      else if (c >= 0xD800 && c <= 0xDFFF) c = 0xFFFD;
      if (c < 0x80) mail[at++] = c;
      else {
        const more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        mail[at++] = (more === 1 ? 0xC0 : more === 2 ? 0xE0 : 0xF0) | c >> 6 * more;
        for (let j = more - 1; j >= 0; j--) mail[at++] = 0x80 | c >> 6 * j & 0x3F;
      }
    }
    return at;
  };

  // escaped is the size of a text as the service's header has it, percent-encoded as a segment of a path.
  const plain = { __proto__: null };
  for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+=:@') plain[codeAt(c, 0)] = true;
  const escaped = (string) => {
    let size = 0;
    for (let i = 0; i < string.length; i++) {
      const c = codeAt(string, i);
      if (c > 0xFFFF) i++;
      size += plain[c] ? 1 : c < 0x80 ? 3 : c < 0x800 ? 6 : c < 0x10000 ? 9 : 12;
    }
    return size;
  };

  // The message of a thrown value, and its number. Reading them may run code of the script, which may throw too.
  const mostText = 4096;
  const textOf = (thrown) => {
    try { return slice(text(thrown), 0, mostText + 1); } catch (again) { return 'Error'; }
  };
  const numberOf = (thrown) => {
    try {
      const n = typeof thrown === 'object' && thrown !== null ? thrown.number : 0;
      return typeof n === 'number' && isNumber(n) ? n : 0;
    } catch (again) { return 0; }
  };
  const stackOf = (thrown) => {
    try {
      const stack = typeof thrown === 'object' && thrown !== null ? thrown.stack : '';
      return typeof stack === 'string' ? slice(stack, 0, 4 * mostText) : '';
    } catch (again) { return ''; }
  };
  const describe = (thrown) => 'e' + stringify({ __proto__: null, text: textOf(thrown), number: numberOf(thrown), stack: stackOf(thrown) });

  const answer = (value) => {
    if (typeof value === 'boolean' || typeof value === 'number' && value - value === 0) return value; // finite
    const json = stringify(value);
    return json === undefined ? 'u' : 'v' + json;
  };

  const queue = { __proto__: null };
  let first = 0, end = 0, current, logged = 0;
  const host = {
    __proto__: null,
    // submit queues an operation; false: the script is to come to its end.
    submit(kind, details, callback) {
      if (signal(SUBMIT) === 0) return false;
      queue[end++] = { __proto__: null, kind, details: stringify(details), callback };
      return true;
    },
    // abort ends the script: signal does not return.
    abort(err) {
      number[0] = numberOf(err);
      sizes[1] = write(noteAt, textOf(err)) - noteAt;
      signal(ABORT);
    },
    // log stores a text; it returns false if the log is full.
    log(string) {
      const size = escaped(string);
      if (logged + size > logSize) return false;
      logged += size;
      sizes[0] = write(logAt + sizes[0], string) - logAt;
      return true;
    },
    newError(number, message) {
      const error = new NativeError(message);
      define(error, 'number', number);
      define(error, 'body', message);
      return error;
    },
    stringify, parse,
  };
  const NativeError = Error;

  const functions = { __proto__: null };
  let defined = 0;
  const known = { __proto__: null };
  const operations = {
    __proto__: null,
    // begin sets up the globals of an execution.
    begin(json) { setUp(parse(json)); return 'u'; },
    // define stores a script and returns its number.
    define(_, value) {
      if (typeof value !== 'function') return 'u';
      functions[++defined] = value;
      return defined;
    },
    // call calls a script, which has a number, with an array of arguments.
    call(json, script) { return answer(apply(functions[script], undefined, parse(json))); },
    // callSome is call where arguments are undefined, which JSON has not: {args, missing: their indexes}.
    callSome(json, script) {
      const { args, missing } = parse(json);
      for (let i = 0; i < missing.length; i++) args[missing[i]] = undefined;
      return answer(apply(functions[script], undefined, args));
    },
    // next removes the operation that was queued first.
    next() {
      if (first === end) return 'u';
      current = queue[first];
      delete queue[first++];
      return `v{"kind":"${current.kind}","awaited":${current.callback !== undefined},"details":${current.details || 'null'}}`;
    },
    // done calls back with the result: {error: {number, message}}, or {resource, options}.
    done(json) {
      const { error, resource, options } = parse(json);
      const { callback, kind } = current;
      if (error) callback(host.newError(error.number, error.message));
      else if (kind === 'delete') callback(undefined, options); // there is no resource
      else callback(undefined, resource, options);
      return 'u';
    },
    // body is the body of the request or the response as the script left it.
    body(name) { return answer(bodies[name].Body); },
    // thrown describes an exception of a script while it was compiled or evaluated.
    thrown(_, value) { return describe(value); },
    // problem describes the error in a source, from the exception of its compilation.
    problem(_, value) { return answer({ __proto__: null, text: textOf(value), stack: stackOf(value) }); },
    // declared is the name of the first function that a script declared.
    declared() {
      const names = ownKeys(globalThis);
      for (let i = 0; i < names.length; i++) {
        const value = globalThis[names[i]];
        if (typeof names[i] === 'string' && typeof value === 'function' && known[names[i]] !== value) return answer(names[i]);
      }
      return 'u';
    },
  };
  const enter = (operation, json, value) => {
    try { return operations[operation](json, value); } catch (thrown) { return describe(thrown); }
  };

  let bodies;
  const setUp = (config) => {
    bodies = { __proto__: null, request: config.request, response: config.response };
    for (const name of ['request', 'response']) { // JSON has no undefined
      if (bodies[name] && !hasOwn(bodies[name], 'Body')) bodies[name].Body = undefined;
    }
    installAPI(config, host, bodies);
  };

  // Errors may have a number before their text: new Error(404, 'Not found').
  const numbered = (name) => {
    const native = globalThis[name];
    const make = (target, args, newTarget) => {
      if (args.length < 2 || typeof args[0] !== 'number') return construct(target, args, newTarget);
      const error = construct(target, [args[1]], newTarget);
      define(error, 'number', args[0]);
      define(error, 'description', args[1]);
      return error;
    };
    const proxy = new Proxy(native, { __proto__: null, construct: make, apply: (target, self, args) => make(target, args, target) });
    define(globalThis, name, proxy);
    define(native.prototype, 'constructor', proxy);
  };
  for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError']) numbered(name);

  define(Math, 'random', function random() { signal(RANDOM); return number[0]; });

  // Code is not made of text, as little as in the service's scripts.
  const refuse = function () { throw new EvalError('Code generation from strings is disallowed'); };
  for (const sample of [function () {}, function* () {}, async function () {}, async function* () {}]) define(getPrototypeOf(sample), 'constructor', refuse);
  refuse.prototype = Function.prototype;
  define(globalThis, 'Function', refuse);
  define(globalThis, 'eval', refuse);
  for (const name of ['BigInt', 'BigInt64Array', 'BigUint64Array', 'SharedArrayBuffer', 'Atomics', 'InternalError', 'performance', 'queueMicrotask',
    'navigator', 'gc', 'DOMException']) delete globalThis[name];
  for (const name of ['getBigInt64', 'getBigUint64', 'setBigInt64', 'setBigUint64']) delete DataView.prototype[name];

  const installAPI = API;
  for (const name of ownKeys(globalThis)) known[name] = globalThis[name];
  return enter;
})
