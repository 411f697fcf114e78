// A small shop on DynamoDB with dynamodb-toolbox. It prints a line for each step.

import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import {
  $add, BatchGetCommand, BatchGetRequest, BatchPutRequest, BatchWriteCommand, Entity, GetItemCommand, PutItemCommand, QueryCommand,
  ScanCommand, Table, UpdateItemCommand, UpdateTransaction, executeBatchGet, executeBatchWrite, executeTransactWrite, item, number,
  set, string,
} from "dynamodb-toolbox";
import { client, expect, orders, refused, withTable } from "./expect.js";

const table = new Table({
  name: "shop-toolbox",
  partitionKey: { name: "customer", type: "string" },
  sortKey: { name: "id", type: "string" },
  indexes: { "by-state": { type: "global", partitionKey: { name: "state", type: "string" }, sortKey: { name: "amount", type: "number" } } },
  documentClient: DynamoDBDocumentClient.from(client),
});

const Order = new Entity({
  name: "Order",
  table,
  schema: item({
    customer: string().key(),
    id: string().key(),
    state: string().enum("open", "paid", "sent"),
    amount: number(),
    tags: set(string()).optional(),
  }),
});

const read = async (customer, id) => (await Order.build(GetItemCommand).key({ customer, id }).options({ consistent: true }).send()).Item;

async function items() {
  const puts = orders.map((order) => Order.build(BatchPutRequest).item(order));
  for (const batch of [puts.slice(0, 25), puts.slice(25)]) await executeBatchWrite(table.build(BatchWriteCommand).requests(...batch));
  expect(70, (await read("c1", "o07")).amount);
  expect(undefined, await read("c0", "o07"));
  const keys = [{ customer: "c1", id: "o07" }, { customer: "c2", id: "o99" }];
  const gets = keys.map((key) => Order.build(BatchGetRequest).key(key));
  const { Responses } = await executeBatchGet(table.build(BatchGetCommand).requests(...gets));
  expect(["o07", undefined], Responses[0].map((order) => order?.id));
  const create = Order.build(PutItemCommand).item(orders[7]).options({ condition: { attr: "id", exists: false } });
  await refused("ConditionalCheckFailedException", () => create.send());
  console.log("ok: items written in batches, read; one of them is not created twice");
}

async function update() {
  const change = Order.build(UpdateItemCommand)
    .item({ customer: "c1", id: "o07", state: "paid", amount: $add(5), tags: $add(new Set(["gift"])) })
    .options({ condition: { attr: "state", eq: "open" }, returnValues: "ALL_NEW" });
  const { Attributes } = await change.send();
  expect([75, "paid", new Set(["gift"])], [Attributes.amount, Attributes.state, Attributes.tags]);
  await refused("ConditionalCheckFailedException", () => change.send());
  console.log("ok: updated once; its condition does not hold twice");
}

async function transaction() {
  const pay = (id) => Order.build(UpdateTransaction).item({ customer: "c2", id, state: "paid" })
    .options({ condition: { attr: "state", eq: "open" } });
  await executeTransactWrite(pay("o02"), pay("o05"));
  const error = await refused("TransactionCanceledException", () => executeTransactWrite(pay("o08"), pay("o05")));
  expect(["None", "ConditionalCheckFailed"], error.CancellationReasons.map((reason) => reason.Code));
  expect("open", (await read("c2", "o08")).state);
  console.log("ok: a transaction is all or nothing");
}

async function queries() {
  const ofCustomer = table.build(QueryCommand).query({ partition: "c0", range: { beginsWith: "o1" } }).entities(Order);
  expect(["o12", "o15", "o18"], (await ofCustomer.options({ limit: 2, maxPages: Infinity }).send()).Items.map((order) => order.id));
  const paid = table.build(QueryCommand).query({ index: "by-state", partition: "paid", range: { gt: 20 } }).entities(Order);
  expect(["o07", "o05"], (await paid.options({ reverse: true }).send()).Items.map((order) => order.id));
  const segment = (segment) => table.build(ScanCommand).entities(Order).options({ segment, totalSegments: 4 }).send();
  const pages = await Promise.all([0, 1, 2, 3].map(segment));
  expect(30, pages.reduce((sum, page) => sum + page.Count, 0));
  console.log("ok: queries by pages and by the index, scans by segments");
}

await withTable("shop-toolbox", ["customer", "id"], ["state", "amount"], async () => {
  for (const step of [items, update, transaction, queries]) await step();
});
