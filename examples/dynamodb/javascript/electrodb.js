// A small shop on DynamoDB with ElectroDB: two entities in one table, their collection and a transaction.

import { Entity, Service } from "electrodb";
import { client, expect, orders, refused, withTable } from "./expect.js";

const table = "shop-electrodb";

const order = new Entity({
  model: { entity: "order", version: "1", service: "shop" },
  attributes: {
    customer: { type: "string", required: true },
    id: { type: "string", required: true },
    state: { type: ["open", "paid", "sent"], default: "open" },
    amount: { type: "number" },
    tags: { type: "set", items: "string" },
  },
  indexes: {
    byCustomer: {
      collection: "ofCustomer",
      pk: { field: "pk", composite: ["customer"] },
      sk: { field: "sk", composite: ["id"] },
    },
    byState: {
      index: "by-state",
      pk: { field: "gsi1pk", composite: ["state"] },
      sk: { field: "gsi1sk", composite: ["id"] },
    },
  },
}, { client, table });

const customer = new Entity({
  model: { entity: "customer", version: "1", service: "shop" },
  attributes: { customer: { type: "string", required: true }, name: { type: "string" } },
  indexes: { byCustomer: { collection: "ofCustomer", pk: { field: "pk", composite: ["customer"] }, sk: { field: "sk", composite: [] } } },
}, { client, table });

const shop = new Service({ order, customer }, { client, table });

async function items() {
  await order.put(orders).go();
  await customer.put({ customer: "c1", name: "Ada" }).go();
  expect(70, (await order.get({ customer: "c1", id: "o07" }).go()).data.amount);
  expect(null, (await order.get({ customer: "c0", id: "o07" }).go()).data);
  await refused("ConditionalCheckFailedException", () => order.create({ customer: "c1", id: "o07" }).go());
  console.log("ok: items written in batches, read; one of them is not created twice");
}

async function update() {
  const change = () => order.patch({ customer: "c1", id: "o07" }).set({ state: "paid" }).add({ amount: 5, tags: ["gift"] })
    .where(({ state }, { eq }) => eq(state, "open")).go({ response: "all_new" });
  const { data } = await change();
  expect([75, "paid", ["gift"]], [data.amount, data.state, data.tags]);
  await refused("ConditionalCheckFailedException", change);
  console.log("ok: updated once; its condition does not hold twice");
}

async function transaction() {
  const pay = ({ order }, id) => order.patch({ customer: "c2", id }).set({ state: "paid" })
    .where(({ state }, { eq }) => eq(state, "open")).commit();
  const commit = (...ids) => shop.transaction.write((entities) => ids.map((id) => pay(entities, id))).go();
  expect(false, (await commit("o02", "o05")).canceled);
  const cancelled = await commit("o08", "o05");
  expect([true, "ConditionalCheckFailed"], [cancelled.canceled, cancelled.data[1].code]);
  expect("open", (await order.get({ customer: "c2", id: "o08" }).go()).data.state);
  console.log("ok: a transaction is all or nothing");
}

async function queries() {
  const found = await order.query.byCustomer({ customer: "c0" }).begins({ id: "o1" }).go({ pages: "all", limit: 2 });
  expect(["o12", "o15", "o18"], found.data.map((order) => order.id));
  const paid = await order.query.byState({ state: "paid" }).gt({ id: "o02" }).go({ order: "desc" });
  expect(["o07", "o05"], paid.data.map((order) => order.id));
  const all = await shop.collections.ofCustomer({ customer: "c1" }).go();
  expect([10, ["Ada"]], [all.data.order.length, all.data.customer.map((customer) => customer.name)]);
  console.log("ok: queries by pages, by the index and of a collection");
}

await withTable(table, ["pk", "sk"], ["gsi1pk", "gsi1sk"], async () => {
  for (const step of [items, update, transaction, queries]) await step();
});
