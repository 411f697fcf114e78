"""A small shop on DynamoDB with PynamoDB. It prints a line for each step and ends with a traceback and status 1 at the first answer
that differs from the documented one. The endpoint is in AWS_ENDPOINT_URL.
"""

import os

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute, VersionAttribute
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

REGION = os.environ.get("AWS_REGION", "us-east-1")
ENDPOINT = os.environ.get("AWS_ENDPOINT_URL")


class ByState(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-state"
        projection = AllProjection()

    state = UnicodeAttribute(hash_key=True)
    amount = NumberAttribute(range_key=True)


class Order(Model):
    class Meta:
        table_name = "shop-pynamodb"
        billing_mode = "PAY_PER_REQUEST"
        region = REGION
        host = ENDPOINT

    customer = UnicodeAttribute(hash_key=True)
    id = UnicodeAttribute(range_key=True)
    state = UnicodeAttribute()
    amount = NumberAttribute()
    tags = UnicodeSetAttribute(null=True)
    version = VersionAttribute()
    by_state = ByState()


def main():
    Order.create_table(wait=True)
    try:
        for step in items, versions, update, transaction, queries:
            step()
    finally:
        Order.delete_table()
    print("ok: table deleted")


def items():
    """Writes thirty orders of three customers in batches, and reads one back."""
    with Order.batch_write() as batch:
        for i in range(30):
            batch.save(Order(f"c{i % 3}", f"o{i:02}", state="open", amount=10 * i, tags={"new"}))
    expect(70, Order.get("c1", "o07").amount)
    refused(Order.DoesNotExist, lambda: Order.get("c0", "o07"))
    found = Order.batch_get([("c1", "o07"), ("c2", "o08"), ("c2", "o99")])
    expect(["o07", "o08"], sorted(order.id for order in found))
    print("ok: items written in batches, read one by one and together")


def versions():
    """Lets the second of two writers with the same version lose."""
    first, second = Order.get("c0", "o00"), Order.get("c0", "o00")
    first.state = "paid"
    first.save()
    refused(PutError, second.save)
    print("ok: the second writer lost")


def update():
    order = Order.get("c1", "o07")
    order.update(actions=[Order.amount.add(5), Order.state.set("paid"), Order.tags.add({"gift"})], condition=Order.state == "open")
    expect((75, "paid", {"new", "gift"}), (order.amount, order.state, order.tags))
    refused(UpdateError, lambda: order.update(actions=[Order.amount.add(5)], condition=Order.state == "open"))
    print("ok: updated once; its condition does not hold twice")


def transaction():
    """Commits two writes together, and then nothing of two of which one is refused."""
    connection = Connection(region=REGION, host=ENDPOINT)

    def pay(*ids):
        with TransactWrite(connection=connection) as writes:
            for order in ids:
                writes.update(Order.get("c2", order), actions=[Order.state.set("paid")], condition=Order.state == "open")

    pay("o02", "o05")
    error = refused(TransactWriteError, lambda: pay("o08", "o05"))
    expect(["ConditionalCheckFailed"], [reason.code for reason in error.cancellation_reasons if reason])
    expect("open", Order.get("c2", "o08").state)
    print("ok: a transaction is all or nothing")


def queries():
    """Reads a customer's orders by pages, an index from its end, and the whole table by segments."""
    found = Order.query("c0", Order.id.startswith("o1"), page_size=2)
    expect(["o12", "o15", "o18"], [order.id for order in found])
    paid = Order.by_state.query("paid", ByState.amount > 20, scan_index_forward=False)
    expect(["o07", "o05"], [order.id for order in paid])
    expect(30, sum(len(list(Order.scan(segment=i, total_segments=4))) for i in range(4)))
    expect(10, Order.count("c0"))
    print("ok: queries by pages and by the index, scans by segments")


def expect(want, got):
    if got != want:
        raise AssertionError(f"{got!r}, not {want!r}")


def refused(kind, operation):
    """Returns the error of an operation that must fail."""
    try:
        operation()
    except kind as error:
        return error
    raise AssertionError(f"not refused with {kind.__name__}")


if __name__ == "__main__":
    main()
