// Shared by the programs of this folder: the client, their table, and checks that end a program with status 1.

import assert from "node:assert/strict";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";

// The SDK reads the endpoint from AWS_ENDPOINT_URL. Without it, the client uses the AWS account that the SDK finds.
export const client = new DynamoDBClient({ region: process.env.AWS_REGION ?? "us-east-1" });

export const expect = (want, got) => assert.deepEqual(got, want);

// refused returns the error of an operation that must fail with the error of this name.
export async function refused(name, operation) {
  const error = await operation().then(() => undefined, (error) => error);
  const names = [error?.name, error?.cause?.name];
  assert.ok(names.includes(name), `refused with ${names}, not ${name}`);
  return error;
}

// withTable creates a table with an index, runs work, and deletes the table. All key attributes are strings, except amount.
export async function withTable(TableName, [pk, sk], [indexPk, indexSk], work) {
  const schema = (hash, range) => [{ AttributeName: hash, KeyType: "HASH" }, { AttributeName: range, KeyType: "RANGE" }];
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [pk, sk, indexPk, indexSk].map((AttributeName) =>
      ({ AttributeName, AttributeType: AttributeName === "amount" ? "N" : "S" })),
    KeySchema: schema(pk, sk),
    GlobalSecondaryIndexes: [{ IndexName: "by-state", KeySchema: schema(indexPk, indexSk), Projection: { ProjectionType: "ALL" } }],
  }));
  try {
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });
    await work();
  } finally {
    await client.send(new DeleteTableCommand({ TableName }));
  }
  console.log("ok: table deleted");
}

export const orders = Array.from({ length: 30 }, (_, i) =>
  ({ customer: `c${i % 3}`, id: `o${String(i).padStart(2, "0")}`, state: "open", amount: 10 * i }));
