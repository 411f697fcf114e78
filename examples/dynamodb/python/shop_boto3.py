"""A small shop on DynamoDB with boto3. It prints a line for each step and ends with a traceback and status 1 at the first answer
that differs from the documented one.

boto3 reads the endpoint from AWS_ENDPOINT_URL. Without it, the program uses the AWS account that boto3 finds, which costs a few
cents.
"""

from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

TABLE = "shop-boto3"
dynamodb = boto3.resource("dynamodb")
client = dynamodb.meta.client
streams = boto3.client("dynamodbstreams")


def main():
    orders = create()
    try:
        for step in items, conditions, update, transaction, queries, stream, expiry:
            step(orders)
    finally:
        orders.delete()
        orders.wait_until_not_exists()
    print("ok: table deleted")


def create():
    """Creates a table of orders by customer, with an index by state and amount, and a stream."""
    key = [("customer", "HASH"), ("id", "RANGE")]
    index = [("state", "HASH"), ("amount", "RANGE")]
    orders = dynamodb.create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in [("customer", "S"), ("id", "S"), ("state", "S"), ("amount", "N")]
        ],
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in key],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-state",
                "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in index],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    orders.wait_until_exists()
    expect("ACTIVE", client.describe_table(TableName=TABLE)["Table"]["TableStatus"])
    print("ok: table created")
    return orders


def items(orders):
    """Writes thirty orders of three customers, which takes two requests, and reads one back."""
    with orders.batch_writer() as batch:
        for i in range(30):
            batch.put_item({"customer": f"c{i % 3}", "id": f"o{i:02}", "state": "open", "amount": 10 * i, "tags": {"new"}})
    expect(Decimal(70), read(orders, "c1", "o07")["amount"])
    expect(None, orders.get_item(Key={"customer": "c0", "id": "o07"}).get("Item"))
    keys = [{"customer": "c1", "id": "o07"}, {"customer": "c2", "id": "o08"}, {"customer": "c2", "id": "o99"}]
    found = client.batch_get_item(RequestItems={TABLE: {"Keys": keys}})["Responses"][TABLE]
    expect(["o07", "o08"], sorted(order["id"] for order in found))
    print("ok: items written in batches, read one by one and together")


def read(orders, customer, order):
    return orders.get_item(Key={"customer": customer, "id": order}, ConsistentRead=True)["Item"]


def conditions(orders):
    """Lets the second of two writers of one order lose, and shows it the order."""
    refusal = refused(
        "ConditionalCheckFailedException",
        lambda: orders.put_item(
            Item={"customer": "c1", "id": "o07"},
            ConditionExpression=Attr("id").not_exists(),
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        ),
    )
    expect({"N": "70"}, refusal["Item"]["amount"])
    print("ok: the second writer lost")


def update(orders):
    change = {
        "Key": {"customer": "c1", "id": "o07"},
        "UpdateExpression": "SET #state = :paid, amount = amount + :fee ADD tags :tags",
        "ConditionExpression": "#state = :open",
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": {":paid": "paid", ":open": "open", ":fee": 5, ":tags": {"gift"}},
        "ReturnValues": "UPDATED_NEW",
    }
    expect({"state": "paid", "amount": Decimal(75), "tags": {"new", "gift"}}, orders.update_item(**change)["Attributes"])
    refused("ConditionalCheckFailedException", lambda: orders.update_item(**change))
    print("ok: updated once; its condition does not hold twice")


def transaction(orders):
    """Commits two writes together, and then nothing of two of which one is refused."""

    def pay(order, state):
        return {
            "Update": {
                "TableName": TABLE,
                "Key": {"customer": "c2", "id": order},
                "UpdateExpression": "SET #state = :paid",
                "ConditionExpression": "#state = :state",
                "ExpressionAttributeNames": {"#state": "state"},
                "ExpressionAttributeValues": {":paid": "paid", ":state": state},
            }
        }

    client.transact_write_items(TransactItems=[pay("o02", "open"), pay("o05", "open")])
    refusal = refused(
        "TransactionCanceledException",
        lambda: client.transact_write_items(TransactItems=[pay("o08", "open"), pay("o05", "open")]),
    )
    expect(["None", "ConditionalCheckFailed"], [reason["Code"] for reason in refusal["CancellationReasons"]])
    expect("open", read(orders, "c2", "o08")["state"])
    print("ok: a transaction is all or nothing")


def queries(orders):
    """Reads a customer's orders by pages, an index from its end, and the whole table by segments."""
    pages = list(client.get_paginator("query").paginate(
        TableName=TABLE, KeyConditionExpression=Key("customer").eq("c0") & Key("id").begins_with("o1"), PaginationConfig={"PageSize": 2}
    ))
    expect(["o12", "o15", "o18"], [order["id"] for page in pages for order in page["Items"]])
    paid = orders.query(
        IndexName="by-state", KeyConditionExpression=Key("state").eq("paid") & Key("amount").gt(20), ScanIndexForward=False
    )["Items"]
    expect(["o07", "o05"], [order["id"] for order in paid])
    counts = [orders.scan(Segment=i, TotalSegments=4, Select="COUNT")["Count"] for i in range(4)]
    expect(30, sum(counts))
    expect(3, orders.scan(FilterExpression=Attr("state").eq("paid"), ProjectionExpression="id")["Count"])
    print("ok: queries by pages and by the index, scans by segments")


def stream(orders):
    """Reads the change of an order from the stream. Which shard has it is the service's choice."""
    arn = orders.latest_stream_arn
    records = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        start = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        records += streams.get_records(ShardIterator=streams.get_shard_iterator(**start)["ShardIterator"])["Records"]
    expect(30, sum(record["eventName"] == "INSERT" for record in records))
    changes = [record["dynamodb"] for record in records if record["eventName"] == "MODIFY"]
    amounts = [(c["OldImage"]["amount"]["N"], c["NewImage"]["amount"]["N"]) for c in changes if c["Keys"]["id"]["S"] == "o07"]
    expect([("70", "75")], amounts)
    print("ok: the stream has the change")


def expiry(orders):
    client.update_time_to_live(TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    described = client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]
    expect("expires", described["AttributeName"])
    print("ok: time to live")


def expect(want, got):
    if got != want:
        raise AssertionError(f"{got!r}, not {want!r}")


def refused(code, operation):
    """Returns the response of an operation that must fail with this error code."""
    try:
        operation()
    except ClientError as error:
        expect(code, error.response["Error"]["Code"])
        return error.response
    raise AssertionError(f"not refused with {code}")


if __name__ == "__main__":
    main()
