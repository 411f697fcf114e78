// A small shop on Cosmos DB by @azure/cosmos: what an application does with a container, a line a step. It ends with a stack trace
// and status 1 at the first response that differs from the expected one.
//
// AZURE_COSMOS_ENDPOINT (https://localhost:8081) and AZURE_COSMOS_KEY (the emulators' key) say where; a certificate of the
// emulator's own is trusted by NODE_EXTRA_CA_CERTS.
import assert from "node:assert/strict";
import { BulkOperationType, ChangeFeedStartFrom, CosmosClient } from "@azure/cosmos";

const database = "shop-javascript";

async function main() {
  const client = new CosmosClient({
    endpoint: process.env.AZURE_COSMOS_ENDPOINT ?? "https://localhost:8081",
    key: process.env.AZURE_COSMOS_KEY ?? "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
  });
  const orders = await create(client);
  for (const step of [items, concurrency, patch, batch, bulk, queries, changeFeed, throughput]) await step(orders);
  await client.database(database).delete();
  console.log("ok: database deleted");
  client.dispose();
}

// create creates a new container: a key of two levels, and throughput for two physical partitions.
async function create(client) {
  const { resources } = await client.databases.readAll().fetchAll();
  if (resources.some((d) => d.id === database)) await client.database(database).delete();
  const { database: shop } = await client.databases.create({ id: database });
  const { container: orders } = await shop.containers.create({
    id: "orders",
    partitionKey: { paths: ["/shop", "/customer"], kind: "MultiHash", version: 2 },
    throughput: 12_000,
  });
  const { resources: ranges } = await orders.readPartitionKeyRanges().fetchAll();
  assert.equal(ranges.length, 2);
  console.log("ok: container of two physical partitions");
  return orders;
}

// items writes twenty orders of ten customers and reads one back.
async function items(orders) {
  for (let i = 0; i < 20; i++) {
    const id = `o${String(i).padStart(2, "0")}`;
    const { statusCode } = await orders.items.create({ id, shop: "north", customer: `c${i % 10}`, total: 10 * i, state: "open" });
    assert.equal(statusCode, 201);
  }
  assert.equal((await read(orders, "o07")).total, 70);
  const elsewhere = await orders.item("o07", ["north", "c6"]).read();
  assert.equal(elsewhere.statusCode, 404);
  console.log("ok: items created, read; not there under another customer");
}

async function read(orders, id) {
  const { resource } = await orders.item(id, ["north", `c${id[2]}`]).read();
  return resource;
}

// concurrency lets the second of two writers with the same ETag lose.
async function concurrency(orders) {
  const order = { ...(await read(orders, "o07")), state: "paid" };
  const accessCondition = { type: "IfMatch", condition: order._etag };
  const replace = () => orders.item("o07", ["north", "c7"]).replace(order, { accessCondition });
  await replace();
  await refused(412, replace);
  console.log("ok: replaced by ETag; the second writer lost");
}

async function patch(orders) {
  const change = {
    condition: "from c where c.state = 'paid'",
    operations: [
      { op: "incr", path: "/total", value: 5 },
      { op: "set", path: "/state", value: "sent" },
    ],
  };
  const send = () => orders.item("o07", ["north", "c7"]).patch(change);
  assert.equal((await send()).resource.total, 75);
  await refused(412, send);
  console.log("ok: patched once; its condition does not hold twice");
}

// batch commits two operations of one customer together, and then nothing of two that cannot both be.
async function batch(orders) {
  const resourceBody = { id: "o20", shop: "north", customer: "c1", total: 1, state: "open" };
  const good = await orders.items.batch(
    [{ operationType: BulkOperationType.Create, resourceBody }, { operationType: BulkOperationType.Delete, id: "o11" }],
    ["north", "c1"],
  );
  assert.deepEqual(good.result.map((r) => r.statusCode), [201, 204]);
  const bad = await orders.items.batch(
    [{ operationType: BulkOperationType.Delete, id: "o01" }, { operationType: BulkOperationType.Delete, id: "o11" }],
    ["north", "c1"],
  );
  assert.equal(bad.code, 207);
  assert.deepEqual(bad.result.map((r) => r.statusCode), [424, 404]);
  assert.equal((await read(orders, "o01")).id, "o01");
  console.log("ok: a batch is all or nothing");
}

// bulk sends operations of many customers, each for itself.
async function bulk(orders) {
  const one = (i) => ({ id: `b${i}`, shop: "west", customer: `c${i}`, total: 1000 + i, state: "open" });
  const created = await orders.items.executeBulkOperations(
    [1, 2, 3].map((i) => ({ operationType: BulkOperationType.Create, resourceBody: one(i), partitionKey: ["west", `c${i}`] })),
  );
  assert.deepEqual(created.map((r) => r.response.statusCode), [201, 201, 201]);
  const deleted = await orders.items.executeBulkOperations(
    [1, 2, 3].map((i) => ({ operationType: BulkOperationType.Delete, id: `b${i}`, partitionKey: ["west", `c${i}`] })),
  );
  assert.deepEqual(deleted.map((r) => r.response.statusCode), [204, 204, 204]);
  console.log("ok: bulk over many customers");
}

// queries sorts, counts, groups and averages over all customers: the client merges the physical partitions by the query's plan.
async function queries(orders) {
  assert.deepEqual(await query(orders, "SELECT VALUE c.id FROM c ORDER BY c.total", { partitionKey: ["north", "c1"] }), ["o20", "o01"]);
  assert.deepEqual(await query(orders, "SELECT TOP 3 VALUE c.id FROM c ORDER BY c.total DESC"), ["o19", "o18", "o17"]);
  assert.deepEqual(await query(orders, "SELECT VALUE c.id FROM c ORDER BY c.total OFFSET 4 LIMIT 2"), ["o03", "o04"]);
  assert.deepEqual(await query(orders, "SELECT VALUE COUNT(1) FROM c"), [20]);
  assert.deepEqual(await query(orders, "SELECT VALUE AVG(c.total) FROM c WHERE c.state = 'open'"), [(1900 - 70 - 110 + 1) / 19]);
  const groups = await query(orders, "SELECT c.state, COUNT(1) AS n, MAX(c.total) AS most FROM c GROUP BY c.state");
  groups.sort((a, b) => a.n - b.n);
  assert.deepEqual(groups, [{ state: "sent", n: 1, most: 75 }, { state: "open", n: 19, most: 190 }]);
  assert.deepEqual((await query(orders, "SELECT DISTINCT VALUE c.state FROM c")).sort(), ["open", "sent"]);
  await refused(400, () => query(orders, "SELECT VALUE c.id FROM c WHERE"));
  console.log("ok: queries of one customer and of all");
}

async function query(orders, text, options = {}) {
  const { resources } = await orders.items.query(text, { maxItemCount: 3, ...options }).fetchAll();
  return resources;
}

// changeFeed reads all that was written, then only what is written after it.
async function changeFeed(orders) {
  const [first, continuation] = await drain(orders, ChangeFeedStartFrom.Beginning());
  assert.equal(first.length, 20);
  await orders.items.upsert({ id: "o30", shop: "south", customer: "c0", total: 0, state: "open" });
  const [second] = await drain(orders, ChangeFeedStartFrom.Continuation(continuation));
  assert.deepEqual(second, ["o30"]);
  console.log("ok: change feed, and on from where it ended");
}

async function drain(orders, changeFeedStartFrom) {
  const feed = orders.items.getChangeFeedIterator({ changeFeedStartFrom, maxItemCount: 4 });
  const ids = [];
  for (;;) {
    const page = await feed.readNext();
    if (page.statusCode === 304) return [ids, page.continuationToken];
    ids.push(...page.result.map((o) => o.id));
  }
}

async function throughput(orders) {
  const { offer, resource } = await orders.readOffer();
  assert.equal(resource.content.offerThroughput, 12_000);
  await offer.replace({ ...resource, content: { ...resource.content, offerThroughput: 13_000 } });
  assert.equal((await orders.readOffer()).resource.content.offerThroughput, 13_000);
  console.log("ok: throughput read and replaced");
}

async function refused(status, operation) {
  await assert.rejects(operation, (error) => error.code === status);
}

await main();
