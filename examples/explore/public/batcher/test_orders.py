import asyncio
import unittest

import aioboto3
from async_batcher.aws.dynamodb.write import AsyncDynamoDbWriteBatcher, WriteOperation


class Orders(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.dynamodb = await self.enterAsyncContext(aioboto3.Session().resource("dynamodb"))
        self.table = await self.dynamodb.create_table(
            TableName="orders",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        )

    async def test_every_order_is_stored(self):
        batcher = AsyncDynamoDbWriteBatcher()
        orders = [WriteOperation(operation="PUT", table_name="orders", data={"id": str(n)}) for n in range(3)]
        await asyncio.gather(*(batcher.process(item=order) for order in orders))
        await batcher.stop()
        for n in range(3):
            found = await self.table.get_item(Key={"id": str(n)}, ConsistentRead=True)
            self.assertTrue("Item" in found, f"order {n} is lost")
