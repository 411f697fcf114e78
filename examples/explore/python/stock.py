"""The stock of a shop: a reservation takes pieces of a product from the shelf."""

import boto3

db = boto3.client("dynamodb")


def create_table():
    db.create_table(
        TableName="stock",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "product", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "product", "KeyType": "HASH"}],
    )


def receive(product, pieces):
    """Puts new pieces of a product on the shelf."""
    db.put_item(TableName="stock", Item={"product": {"S": product}, "pieces": {"N": str(pieces)}})


def reserve(product, pieces):
    """Takes pieces from the shelf, if there are enough of them."""
    db.update_item(
        TableName="stock",
        Key={"product": {"S": product}},
        UpdateExpression="ADD pieces :taken",
        ConditionExpression="pieces >= :wanted",
        ExpressionAttributeValues={":taken": {"N": str(-pieces)}, ":wanted": {"N": str(pieces)}},
    )


def pieces(product):
    """Returns how many pieces are on the shelf."""
    found = db.get_item(TableName="stock", Key={"product": {"S": product}}, ConsistentRead=True)
    return int(found["Item"]["pieces"]["N"])
