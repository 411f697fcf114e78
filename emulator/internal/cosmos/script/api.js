// The server-side API of Cosmos DB (https://azure.github.io/azure-cosmosdb-js-server) over the host of prelude.js. It
// evaluates to a function that sets up the globals of one execution; procedure.go describes config.
(function (config, host, bodies) {
  'use strict';
  const fail = (number, text) => { throw new Error(number, text); };
  const needs = (name, least, args) => {
    if (args.length < least) fail(400, `The function "${name}" requires at least ${least} argument(s) but was called with ${args.length} argument(s).`);
  };

  const optionsAndCallback = (options, callback) => {
    if (options === undefined || options === null) options = {};
    else if (callback === undefined && typeof options === 'function') { callback = options; options = {}; }
    else if (typeof options !== 'object') fail(400, `The "options" parameter must be of type "object". Actual type is: "${typeof options}".`);
    if (callback === null) callback = undefined;
    if (callback !== undefined && typeof callback !== 'function') fail(400, `The "callback" parameter must be of type "function". Actual type is: "${typeof callback}".`);
    return [options, callback];
  };

  // Links: of the container, or of an item in it, by resource ids or by names; with or without a slash at the end.
  const trim = (link) => (link.endsWith('/') ? link.slice(0, -1) : link);
  const self = trim(config.selfLink), alt = trim(config.altLink);
  const foreign = (link) => fail(400, `Function is not allowed to operate on resources outside current collection. Make sure that the link provided, "${link}", belongs to current collection.`);
  const isPath = (parts, ...names) => parts.length === 2 * names.length && names.every((name, i) => parts[2 * i].toLowerCase() === name);
  const checkCollection = (link) => {
    if (typeof link !== 'string' || !isPath(trim(link).split('/'), 'dbs', 'colls')) fail(400, `Invalid collection link: "${link}".`);
    if (trim(link) !== self && trim(link) !== alt) foreign(link);
  };
  const documentOf = (link) => {
    const parts = typeof link === 'string' ? trim(link).split('/') : [];
    if (!isPath(parts, 'dbs', 'colls', 'docs')) fail(400, `Invalid document link: "${link}".`);
    const owner = parts.slice(0, 4).join('/');
    if (owner === self) return { rid: parts[5] };
    if (owner === alt) return { id: parts[5] };
    return foreign(link);
  };

  const isFeedQuery = (query) => typeof query === 'string' || (typeof query === 'object' && query !== null);
  const maxPage = 0x7fffffff;
  const pageSize = (size) => {
    if (!size) return 100;
    if (!Number.isInteger(size) || size < -1 || size > maxPage) fail(400, `The "pageSize" option must be a positive integer, or -1. Actual value is: "${size}".`);
    return size;
  };
  const feedOptions = (options) => ({
    pageSize: pageSize(options.pageSize), continuation: options.continuation || '', enableScan: options.enableScan === true,
  });
  const indexAction = (options) => {
    const action = options.indexAction;
    if (action && !['default', 'include', 'exclude'].includes(String(action).toLowerCase())) fail(400, `The "indexAction" option must be default, include or exclude. Actual value is: "${action}".`);
    return action;
  };
  const withID = (body, options) => {
    if (body === null || (typeof body !== 'object' && typeof body !== 'string')) {
      fail(400, 'The document body must be an object or a string representing a JSON-serialized object.');
    }
    const object = typeof body === 'string' ? host.parse(body) : body;
    return { body: object, newID: options.disableAutomaticIdGeneration !== true && !object.id };
  };

  class Collection {
    getSelfLink() { return config.selfLink; }
    getAltLink() { return config.altLink; }
    readDocument(link, options, callback) {
      needs('readDocument', 1, arguments);
      const target = documentOf(link);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('read', { target, ifNoneMatch: options.ifNoneMatch }, callback);
    }
    readDocuments(link, options, callback) {
      needs('readDocuments', 1, arguments);
      checkCollection(link);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('list', { feed: feedOptions(options) }, callback);
    }
    queryDocuments(link, query, options, callback) {
      needs('queryDocuments', 2, arguments);
      checkCollection(link);
      if (!isFeedQuery(query)) fail(400, `The "filterQuery" parameter must be of type "string" or "object". Actual type is: "${typeof query}".`);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('query', { query: typeof query === 'string' ? { query } : query, feed: feedOptions(options) }, callback);
    }
    createDocument(link, body, options, callback) {
      needs('createDocument', 2, arguments);
      checkCollection(link);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('create', { ...withID(body, options), indexAction: indexAction(options) }, callback);
    }
    upsertDocument(link, body, options, callback) {
      needs('upsertDocument', 2, arguments);
      checkCollection(link);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('upsert', { ...withID(body, options), etag: options.etag, indexAction: indexAction(options) }, callback);
    }
    replaceDocument(link, body, options, callback) {
      needs('replaceDocument', 2, arguments);
      const target = documentOf(link);
      [options, callback] = optionsAndCallback(options, callback);
      if (typeof body === 'string') body = host.parse(body);
      return host.submit('replace', { target, body, etag: options.etag, indexAction: indexAction(options) }, callback);
    }
    deleteDocument(link, options, callback) {
      needs('deleteDocument', 1, arguments);
      const target = documentOf(link);
      [options, callback] = optionsAndCallback(options, callback);
      return host.submit('delete', { target, etag: options.etag }, callback);
    }
  }

  // The JavaScript language-integrated query API: each step makes of a list of values another.
  const rank = (v) => ['undefined', 'null', 'boolean', 'number', 'string', 'array', 'object'].indexOf(v === null ? 'null' : Array.isArray(v) ? 'array' : typeof v);
  const compare = (a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
  const deep = (list) => list.reduce((out, x) => { if (Array.isArray(x)) out.push(...deep(x)); else out.push(x); return out; }, []);
  const steps = {
    filter: (list, fn) => list.filter((x) => fn(x)),
    map: (list, fn) => list.map((x) => fn(x)),
    pluck: (list, name) => list.map((x) => x[name]),
    sortBy: (list, fn) => list.map((x) => [fn(x), x]).sort((a, b) => compare(a[0], b[0])).map((x) => x[1]),
    sortByDescending: (list, fn) => list.map((x) => [fn(x), x]).sort((a, b) => compare(b[0], a[0])).map((x) => x[1]),
    flatten: (list, shallow) => (shallow ? [].concat(...list) : deep(list)),
    unwind: (list, inner, result) => list.reduce((out, x) => {
      for (const y of inner(x) || []) out.push(result ? result(x, y) : y);
      return out;
    }, []),
  };
  const checks = {
    pluck(name) { if (typeof name !== 'string' || !name) fail(400, 'The property name must be a string and cannot be empty.'); return 1; },
    flatten(shallow) { return typeof shallow === 'boolean' ? 1 : 0; },
    unwind(inner, result) {
      if (!inner) fail(400, 'When using "unwind", "collectionSelector" must be used.');
      if (typeof inner !== 'function') fail(400, 'When using "unwind", "collectionSelector" must be a function.');
      if (inner.length !== 1) fail(400, '"collectionSelector" requires one argument.');
      if (typeof result !== 'function') return 1;
      if (result.length < 2) fail(400, '"resultSelector" requires two arguments.');
      return 2;
    },
    other(fn) { if (typeof fn !== 'function') fail(400, 'The predicate/transform function must be provided.'); return 1; },
  };
  // takes separates a step's own arguments from the options and the callback after them; it drops a leading collection.
  const takes = (name, args) => {
    if (args[0] === collection || args[0] === __) args = args.slice(1);
    const own = (checks[name] || checks.other)(...args);
    return [args.slice(0, own), args.slice(own)];
  };
  const answer = (err, feed) => {
    if (err) throw err;
    if (!context.getResponse) fail(400, 'The callback function must be provided for scenarios, such as pre-trigger, when response object is not available.');
    context.getResponse().appendBody(host.stringify(feed));
  };
  const evaluate = (chain, options, callback) => {
    [options, callback] = optionsAndCallback(options, callback);
    callback = callback || answer;
    const page = feedOptions(options), from = Number(page.continuation) || 0;
    const isAccepted = host.submit('scan', {}, (err, list) => {
      if (err) return callback(err);
      try {
        for (const [name, args] of chain) list = steps[name](list, ...args);
      } catch (thrown) {
        return callback(thrown);
      }
      const end = page.pageSize < 0 ? list.length : from + page.pageSize;
      return callback(undefined, list.slice(from, end), { continuation: end < list.length ? String(end) : undefined });
    });
    return { isAccepted };
  };
  const chained = (chain) => {
    const object = { isAccepted: true };
    for (const name of Object.keys(steps)) {
      object[name] = (...args) => {
        const [own, rest] = takes(name, args);
        if (rest.some((x) => typeof x === 'function')) fail(400, 'When using "chain", the callback parameter can only be provided on the "value" function.');
        if (rest.some((x) => x)) fail(400, 'When using "chain", options can only be provided on the call to the "value" function');
        return chained(chain.concat([[name, own]]));
      };
    }
    object.value = (options, callback) => evaluate(chain, options, callback);
    return object;
  };
  for (const name of Object.keys(steps)) {
    Collection.prototype[name] = (...args) => {
      const [own, rest] = takes(name, args);
      return evaluate([[name, own]], rest[0], rest[1]);
    };
  }
  Collection.prototype.chain = () => chained([]);

  // message is a Request or a Response: named values, of which some may be set.
  const message = (values, writable, most) => {
    const object = {};
    const check = (name, value) => {
      if (!Object.hasOwn(values, name)) fail(400, 'Cannot set new values: ' + name);
      if (!writable.includes(name)) fail(403, 'Not a writable property: ' + name);
      if (value === undefined || value === null) return;
      const size = (typeof value === 'object' ? host.stringify(value) : String(value)).length;
      if (size > most) fail(413, `Resulting message would be too large because of "${name}". Return from script with current message and use continuation token to call the script again or modify your script.`);
    };
    const get = (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
    const set = (name, value) => { check(name, value); values[name] = value; };
    const append = (name, value) => {
      const old = get(name);
      set(name, old === undefined || old === null ? value : old + value);
    };
    object.getValue = get;
    if (writable.length > 0) { object.setValue = set; object.appendValue = append; }
    for (const name of Object.keys(values)) {
      object['get' + name] = () => get(name);
      if (!writable.includes(name)) continue;
      object['set' + name] = (value) => set(name, value);
      object['append' + name] = (value) => append(name, value);
    }
    return object;
  };

  const collection = new Collection();
  const context = {
    getCollection: () => collection,
    abort: (err) => { host.abort(err); },
  };
  const __ = Object.create(collection);
  if (bodies.request) {
    const request = __.request = message(bodies.request, config.requestWritable ? ['Body'] : [], config.maxMessage);
    context.getRequest = () => request;
  }
  if (bodies.response) {
    const response = __.response = message(bodies.response, ['Body'], config.maxMessage);
    context.getResponse = () => response;
  }
  const log = !config.logs ? () => {} : function (format, ...args) {
    needs('log', 1, arguments);
    if (args.length > 0) {
      if (typeof format !== 'string') fail(400, 'First argument to console.log should be a string containing zero or more substitution strings.');
      format = format.replace(/%(%|s)/g, (match, kind) => (kind === '%' ? '%' : String(args.shift())));
    }
    if (!host.log(typeof format === 'object' && format !== null ? String(host.stringify(format)) : String(format))) {
      fail(413, 'Resulting message would be too large because of "x-ms-documentdb-script-log-results". Return from script with current message and use continuation token to call the script again or modify your script.');
    }
  };
  const globals = { getContext: () => context, __, console: { log } };
  for (const name of Object.keys(globals)) {
    Object.defineProperty(globalThis, name, { value: globals[name], writable: true, enumerable: false, configurable: true });
  }
})
