"""A small shop on Cosmos DB by azure-cosmos: what an application does with a container, a line a step. It ends with a traceback
and status 1 at the first answer that is not the documented one.

AZURE_COSMOS_ENDPOINT (https://localhost:8081) and AZURE_COSMOS_KEY (the emulators' key) say where. The client does not check the
certificates of localhost and 127.0.0.1.
"""

import os

from azure.core import MatchConditions
from azure.cosmos import CosmosClient, PartitionKey, ThroughputProperties
from azure.cosmos.exceptions import CosmosBatchOperationError, CosmosHttpResponseError

WELL_KNOWN_KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
DATABASE = "shop-python"


def main():
    endpoint = os.environ.get("AZURE_COSMOS_ENDPOINT", "https://localhost:8081")
    client = CosmosClient(endpoint, os.environ.get("AZURE_COSMOS_KEY", WELL_KNOWN_KEY))
    orders = create(client)
    for step in items, concurrency, patch, batch, queries, read_many, change_feed, throughput:
        step(orders)
    client.delete_database(DATABASE)
    print("ok: database deleted")


def create(client):
    """Makes the container anew: a key of two levels, and throughput for two physical partitions."""
    if any(d["id"] == DATABASE for d in client.list_databases()):
        client.delete_database(DATABASE)
    shop = client.create_database(DATABASE)
    key = PartitionKey(path=["/shop", "/customer"], kind="MultiHash")
    orders = shop.create_container("orders", partition_key=key, offer_throughput=12_000)
    expect(2, len(list(orders.read_feed_ranges())))
    print("ok: container of two physical partitions")
    return orders


def items(orders):
    """Writes twenty orders of ten customers and reads one back."""
    for i in range(20):
        orders.create_item({"id": f"o{i:02}", "shop": "north", "customer": f"c{i % 10}", "total": 10 * i, "state": "open"})
    expect(70, read(orders, "o07")["total"])
    refused(404, lambda: orders.read_item("o07", ["north", "c6"]))
    print("ok: items created, read; not there under another customer")


def read(orders, order_id):
    return orders.read_item(order_id, ["north", "c" + order_id[2:]])


def concurrency(orders):
    """Lets the second of two writers with the same ETag lose."""
    order = read(orders, "o07")
    order["state"] = "paid"
    condition = {"etag": order["_etag"], "match_condition": MatchConditions.IfNotModified}
    orders.replace_item("o07", order, **condition)
    refused(412, lambda: orders.replace_item("o07", order, **condition))
    print("ok: replaced by ETag; the second writer lost")


def patch(orders):
    change = [{"op": "incr", "path": "/total", "value": 5}, {"op": "set", "path": "/state", "value": "sent"}]

    def send():
        return orders.patch_item("o07", ["north", "c7"], change, filter_predicate="from c where c.state = 'paid'")

    expect(75, send()["total"])
    refused(412, send)
    print("ok: patched once; its condition does not hold twice")


def batch(orders):
    """Commits two operations of one customer together, and then nothing of two that cannot both be."""
    new = {"id": "o20", "shop": "north", "customer": "c1", "total": 1, "state": "open"}
    answers = orders.execute_item_batch([("create", (new,)), ("delete", ("o11",))], ["north", "c1"])
    expect([201, 204], [a["statusCode"] for a in answers])
    try:
        orders.execute_item_batch([("delete", ("o01",)), ("delete", ("o11",))], ["north", "c1"])
        raise AssertionError("a batch with a failing operation was accepted")
    except CosmosBatchOperationError as failure:
        expect([424, 404], [a["statusCode"] for a in failure.operation_responses])
    read(orders, "o01")
    print("ok: a batch is all or nothing")


def queries(orders):
    """Sorts, counts and sums within a customer and over all: the client merges the physical partitions by the query's plan."""
    customer = {"partition_key": ["north", "c1"]}
    everybody = {"enable_cross_partition_query": True, "max_item_count": 3}
    expect(["o20", "o01"], query(orders, "SELECT VALUE c.id FROM c ORDER BY c.total", **customer))
    expect([{"state": "open", "n": 2}], query(orders, "SELECT c.state, COUNT(1) AS n FROM c GROUP BY c.state", **customer))
    expect(["o19", "o18", "o17"], query(orders, "SELECT TOP 3 VALUE c.id FROM c ORDER BY c.total DESC", **everybody))
    expect(["o03", "o04"], query(orders, "SELECT VALUE c.id FROM c ORDER BY c.total OFFSET 4 LIMIT 2", **everybody))
    expect([20], query(orders, "SELECT VALUE COUNT(1) FROM c", **everybody))
    expect([190], query(orders, "SELECT VALUE MAX(c.total) FROM c", **everybody))
    expect(["open", "sent"], sorted(query(orders, "SELECT DISTINCT VALUE c.state FROM c", **everybody)))
    refused(400, lambda: query(orders, "SELECT VALUE c.id FROM c WHERE", **everybody))
    print("ok: queries of one customer and of all")


def query(orders, text, **options):
    return list(orders.query_items(text, **options))


def read_many(orders):
    wanted = [("o02", ["north", "c2"]), ("o03", ["north", "c3"]), ("o99", ["north", "c9"])]
    expect(["o02", "o03"], sorted(o["id"] for o in orders.read_items(wanted)))
    print("ok: many read at once")


def change_feed(orders):
    """Reads all that was written, then only what is written after it."""
    expect(20, len(list(orders.query_items_change_feed(start_time="Beginning"))))
    seen = orders.client_connection.last_response_headers["etag"]
    orders.upsert_item({"id": "o30", "shop": "south", "customer": "c0", "total": 0, "state": "open"})
    expect(["o30"], [o["id"] for o in orders.query_items_change_feed(continuation=seen)])
    print("ok: change feed, and on from where it ended")


def throughput(orders):
    expect(12_000, orders.get_throughput().offer_throughput)
    orders.replace_throughput(ThroughputProperties(offer_throughput=13_000))
    expect(13_000, orders.get_throughput().offer_throughput)
    print("ok: throughput read and replaced")


def expect(want, got):
    if got != want:
        raise AssertionError(f"{got!r}, not {want!r}")


def refused(status, operation):
    try:
        operation()
    except CosmosHttpResponseError as error:
        expect(status, error.status_code)
    else:
        raise AssertionError(f"not refused with {status}")


if __name__ == "__main__":
    main()
