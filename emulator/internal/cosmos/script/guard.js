// Replaces the built-in functions of which one call could take any time or any memory. It runs before a script, in its
// engine; tools are functions of guard.go.
(function (tools) {
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  const wrap = (object, names, guard) => {
    for (const name of names) {
      const native = object[name];
      if (typeof native === 'function') define(object, name, guard(native));
    }
  };
  const array = Array.prototype, text = String.prototype, pattern = RegExp.prototype;

  wrap(array, ['at', 'entries', 'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'includes',
    'indexOf', 'keys', 'lastIndexOf', 'map', 'reduce', 'reduceRight', 'slice', 'some', 'with', 'toReversed', 'toSorted',
    'toSpliced'], tools.array);
  wrap(array, ['copyWithin', 'fill', 'reverse', 'shift', 'sort', 'splice', 'unshift'], tools.mutator);
  wrap(array, ['concat'], tools.concat);
  for (const name of ['join', 'toString', 'toLocaleString']) define(array, name, tools.join);
  wrap(Object.getPrototypeOf([][Symbol.iterator]()), ['next'], tools.step);

  const flatten = (out, list, depth) => {
    for (let i = 0; i < list.length; i++) {
      if (!(i in list)) continue;
      if (depth > 0 && Array.isArray(list[i])) flatten(out, list[i], depth - 1);
      else out.push(list[i]);
    }
    return out;
  };
  define(array, 'flat', function flat(depth) { return flatten([], this, depth === undefined ? 1 : Number(depth) || 0); });
  define(array, 'flatMap', function flatMap(fn, self) {
    const out = [];
    for (let i = 0; i < this.length; i++) if (i in this) out.push(fn.call(self, this[i], i, this));
    return flatten([], out, 1);
  });
  define(Array, 'from', function from(items, fn, self) {
    const out = [];
    const add = (v) => out.push(fn === undefined ? v : fn.call(self, v, out.length));
    if (items[Symbol.iterator] !== undefined) for (const v of items) add(v);
    else for (let i = 0, n = Number(items.length) || 0; i < n; i++) add(items[i]);
    return out;
  });

  wrap(text, ['concat'], tools.textConcat);
  wrap(text, ['match', 'matchAll', 'normalize', 'search', 'split'], tools.text);
  wrap(text, ['repeat'], tools.repeat);
  wrap(text, ['padStart', 'padEnd'], tools.pad);
  wrap(text, ['replace', 'replaceAll'], tools.replace);
  wrap(pattern, ['exec', 'test', Symbol.match, Symbol.matchAll, Symbol.search, Symbol.split], tools.text);
  wrap(pattern, [Symbol.replace], tools.replace);
  delete pattern.compile;
  define(String, 'raw', function raw(strings, ...values) {
    let out = '';
    for (let i = 0; i < strings.raw.length; i++) out += strings.raw[i] + (i < values.length && i + 1 < strings.raw.length ? values[i] : '');
    return out;
  });

  wrap(Function.prototype, ['apply'], tools.apply);
  wrap(Reflect, ['apply', 'construct'], tools.apply);
  wrap(Object, ['fromEntries'], tools.step);

  // Constructors: a proxy checks what they are called with.
  const construct = Reflect.construct;
  const replaceConstructor = (name, constructor) => {
    define(globalThis, name, constructor);
    define(constructor.prototype, 'constructor', constructor);
    return constructor;
  };
  const guarded = (name, check) => {
    const native = globalThis[name];
    if (native === undefined) return;
    replaceConstructor(name, new Proxy(native, {
      construct: (target, args, newTarget) => construct(target, check(args), newTarget),
      apply: (target, self, args) => construct(target, check(args), target),
    }));
  };
  const sized = (args) => {
    if (typeof args[0] === 'number') tools.checkLength({ length: args[0] > 4194304 ? args[0] : 0 });
    else if (args[0] && typeof args[0] === 'object' && !ArrayBuffer.isView(args[0]) && !(args[0] instanceof ArrayBuffer)) {
      return [tools.checkLength(args[0][Symbol.iterator] === undefined ? args[0] : Array.from(args[0])), ...args.slice(1)];
    } else if (typeof args[0] === 'string') return sized([Number(args[0])]);
    return args;
  };
  const typed = Object.getPrototypeOf(Uint8Array);
  for (const name of ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array',
    'Uint32Array', 'Float32Array', 'Float64Array', 'ArrayBuffer']) guarded(name, sized);
  define(typed, 'from', function from(items, fn, self) { return new this(Array.from(items, fn, self)); });
  for (const name of ['join', 'toString', 'toLocaleString']) define(typed.prototype, name, tools.join);
  guarded('RegExp', (args) => {
    if (!(args[0] instanceof RegExp)) tools.checkText(args[0], 32768);
    return args;
  });

  // Errors may have a number before their text: new Error(404, 'Not found').
  const numbered = (name) => {
    const make = (target, args, newTarget) => {
      if (args.length < 2 || typeof args[0] !== 'number') return construct(target, args, newTarget);
      const error = construct(target, args.slice(1, 2), newTarget);
      define(error, 'number', args[0]);
      define(error, 'description', args[1]);
      return error;
    };
    replaceConstructor(name, new Proxy(globalThis[name], { construct: make, apply: (target, self, args) => make(target, args, target) }));
  };
  for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError']) numbered(name);

  // Code is not made of text.
  const refuse = function () { throw new EvalError('Code generation from strings is disallowed'); };
  for (const sample of [function () {}, function* () {}, async function () {}]) {
    define(Object.getPrototypeOf(sample), 'constructor', refuse);
  }
  refuse.prototype = Function.prototype;
  define(globalThis, 'Function', refuse);
  define(globalThis, 'eval', refuse);
  for (const name of ['BigInt', 'BigInt64Array', 'BigUint64Array', 'GoError', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name];
  for (const name of ['getBigInt64', 'getBigUint64', 'setBigInt64', 'setBigUint64']) delete DataView.prototype[name];

  const parse = tools.parse;
  const revive = (reviver, holder, key) => {
    const value = holder[key];
    if (value && typeof value === 'object') {
      for (const name of Object.keys(value)) {
        const next = revive(reviver, value, name);
        if (next === undefined) delete value[name];
        else value[name] = next;
      }
    }
    return reviver.call(holder, key, value);
  };
  define(JSON, 'stringify', tools.stringify);
  define(JSON, 'parse', function (text, reviver) {
    const value = parse(text);
    return typeof reviver === 'function' ? revive(reviver, { '': value }, '') : value;
  });
})
