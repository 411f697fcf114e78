// A small shop on DynamoDB with the document client of the AWS SDK for JavaScript v3. It prints a line for each step and exits with
// status 1 at the first response that differs from the expected one.

import {
  BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand,
  ScanCommand, TransactWriteCommand, UpdateCommand, paginateQuery,
} from "@aws-sdk/lib-dynamodb";
import { client, expect, orders, refused, withTable } from "./expect.js";

const TableName = "shop-document";
const db = DynamoDBDocumentClient.from(client);
const send = (command) => db.send(command);
const read = async (customer, id) => (await send(new GetCommand({ TableName, Key: { customer, id }, ConsistentRead: true }))).Item;

async function items() {
  const puts = orders.map((order) => ({ PutRequest: { Item: { ...order, tags: new Set(["new"]) } } }));
  for (const batch of [puts.slice(0, 25), puts.slice(25)]) {
    expect({}, (await send(new BatchWriteCommand({ RequestItems: { [TableName]: batch } }))).UnprocessedItems);
  }
  expect(70, (await read("c1", "o07")).amount);
  expect(undefined, await read("c0", "o07"));
  const Keys = [{ customer: "c1", id: "o07" }, { customer: "c2", id: "o08" }, { customer: "c2", id: "o99" }];
  const found = (await send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }))).Responses[TableName];
  expect(["o07", "o08"], found.map((order) => order.id).sort());
  console.log("ok: items written in batches, read one by one and together");
}

async function conditions() {
  const put = { TableName, Item: { customer: "c1", id: "o07" }, ConditionExpression: "attribute_not_exists(id)" };
  const again = () => send(new PutCommand({ ...put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
  const error = await refused("ConditionalCheckFailedException", again);
  expect({ N: "70" }, error.Item.amount);
  console.log("ok: the second writer lost");
}

async function update() {
  const change = new UpdateCommand({
    TableName,
    Key: { customer: "c1", id: "o07" },
    UpdateExpression: "SET #state = :paid, amount = amount + :fee ADD tags :tags",
    ConditionExpression: "#state = :open",
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: { ":paid": "paid", ":open": "open", ":fee": 5, ":tags": new Set(["gift"]) },
    ReturnValues: "UPDATED_NEW",
  });
  expect({ state: "paid", amount: 75, tags: new Set(["new", "gift"]) }, (await send(change)).Attributes);
  await refused("ConditionalCheckFailedException", () => send(change));
  console.log("ok: updated once; its condition does not hold twice");
}

async function transaction() {
  const pay = (id) => ({
    Update: {
      TableName,
      Key: { customer: "c2", id },
      UpdateExpression: "SET #state = :paid",
      ConditionExpression: "#state = :open",
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":paid": "paid", ":open": "open" },
    },
  });
  const commit = (...ids) => send(new TransactWriteCommand({ TransactItems: ids.map(pay) }));
  await commit("o02", "o05");
  const error = await refused("TransactionCanceledException", () => commit("o08", "o05"));
  expect(["None", "ConditionalCheckFailed"], error.CancellationReasons.map((reason) => reason.Code));
  expect("open", (await read("c2", "o08")).state);
  console.log("ok: a transaction is all or nothing");
}

async function queries() {
  const names = { "#state": "state" };
  const ids = [];
  const byCustomer = {
    TableName,
    KeyConditionExpression: "customer = :c AND begins_with(id, :o)",
    ExpressionAttributeValues: { ":c": "c0", ":o": "o1" },
  };
  for await (const page of paginateQuery({ client: db, pageSize: 2 }, byCustomer)) ids.push(...page.Items.map((order) => order.id));
  expect(["o12", "o15", "o18"], ids);
  const paid = await send(new QueryCommand({
    TableName,
    IndexName: "by-state",
    KeyConditionExpression: "#state = :paid AND amount > :least",
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ":paid": "paid", ":least": 20 },
    ScanIndexForward: false,
  }));
  expect(["o07", "o05"], paid.Items.map((order) => order.id));
  const segment = (Segment) => send(new ScanCommand({ TableName, Segment, TotalSegments: 4, Select: "COUNT" }));
  const counts = await Promise.all([0, 1, 2, 3].map(segment));
  expect(30, counts.reduce((sum, page) => sum + page.Count, 0));
  console.log("ok: queries by pages and by the index, scans by segments");
}

await withTable(TableName, ["customer", "id"], ["state", "amount"], async () => {
  for (const step of [items, conditions, update, transaction, queries]) await step();
});
