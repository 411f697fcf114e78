// A small shop on DynamoDB with Dynamoose, which creates the table itself. It prints a line for each step.

import { DynamoDB } from "@aws-sdk/client-dynamodb";
import dynamoose from "dynamoose";
import { expect, orders, refused } from "./expect.js";

const client = new DynamoDB({ region: process.env.AWS_REGION ?? "us-east-1" });
dynamoose.aws.ddb.set(client);

const Order = dynamoose.model("shop-dynamoose", new dynamoose.Schema({
  customer: { type: String, hashKey: true },
  id: { type: String, rangeKey: true },
  state: { type: String, index: { name: "by-state", rangeKey: "amount" } },
  amount: Number,
  tags: { type: Set, schema: [String] },
}));
const table = new dynamoose.Table("shop-dynamoose", [Order], { throughput: "ON_DEMAND", initialize: false });

async function items() {
  for (const batch of [orders.slice(0, 25), orders.slice(25)]) expect([], (await Order.batchPut(batch)).unprocessedItems);
  expect(70, (await Order.get({ customer: "c1", id: "o07" })).amount);
  expect(undefined, await Order.get({ customer: "c0", id: "o07" }));
  const found = await Order.batchGet([{ customer: "c1", id: "o07" }, { customer: "c2", id: "o99" }]);
  expect(["o07"], found.map((order) => order.id));
  await refused("ConditionalCheckFailedException", () => Order.create(orders[7]));
  console.log("ok: items written in batches, read; one of them is not created twice");
}

async function update() {
  const condition = new dynamoose.Condition().where("state").eq("open");
  const change = () => Order.update({ customer: "c1", id: "o07" }, { $SET: { state: "paid" }, $ADD: { amount: 5 } }, { condition });
  const order = await change();
  expect([75, "paid"], [order.amount, order.state]);
  await refused("ConditionalCheckFailedException", change);
  console.log("ok: updated once; its condition does not hold twice");
}

async function transaction() {
  const condition = new dynamoose.Condition().where("state").eq("open");
  const pay = (id) => Order.transaction.update({ customer: "c2", id }, { $SET: { state: "paid" } }, { condition });
  await dynamoose.transaction([pay("o02"), pay("o05")]);
  const error = await refused("TransactionCanceledException", () => dynamoose.transaction([pay("o08"), pay("o05")]));
  expect(["None", "ConditionalCheckFailed"], error.CancellationReasons.map((reason) => reason.Code));
  expect("open", (await Order.get({ customer: "c2", id: "o08" })).state);
  console.log("ok: a transaction is all or nothing");
}

async function queries() {
  const found = await Order.query("customer").eq("c0").where("id").beginsWith("o1").limit(2).all().exec();
  expect(["o12", "o15", "o18"], found.map((order) => order.id));
  const paid = await Order.query("state").eq("paid").where("amount").gt(20).using("by-state").sort("descending").exec();
  expect(["o07", "o05"], paid.map((order) => order.id));
  expect(30, (await Order.scan().parallel(4).count().exec()).count);
  console.log("ok: queries by pages and by the index, scans by segments");
}

await table.initialize();
try {
  for (const step of [items, update, transaction, queries]) await step();
} finally {
  await client.deleteTable({ TableName: "shop-dynamoose" });
}
console.log("ok: table deleted");
