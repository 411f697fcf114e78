import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactUpdateItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** A small shop on DynamoDB with the enhanced client. It prints a line for each step and ends with an exception at the first answer
 * that differs from the documented one. The SDK reads the endpoint from AWS_ENDPOINT_URL. */
public class Shop {
  static final DynamoDbClient client = DynamoDbClient.create();
  static final DynamoDbEnhancedClient db = DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
  static final DynamoDbTable<Order> orders = db.table("shop-java", TableSchema.fromBean(Order.class));

  public static void main(String[] args) {
    orders.createTable();
    try {
      client.waiter().waitUntilTableExists(request -> request.tableName(orders.tableName()));
      items();
      conditions();
      update();
      transaction();
      queries();
    } finally {
      orders.deleteTable();
    }
    System.out.println("ok: table deleted");
  }

  /** Writes thirty orders of three customers, which takes two requests, and reads one back. */
  static void items() {
    for (List<Integer> numbers : List.of(numbers(0, 25), numbers(25, 30))) {
      var puts = WriteBatch.builder(Order.class).mappedTableResource(orders);
      numbers.forEach(i -> puts.addPutItem(new Order("c" + i % 3, "o%02d".formatted(i), "open", 10 * i)));
      var result = db.batchWriteItem(BatchWriteItemEnhancedRequest.builder().writeBatches(puts.build()).build());
      expect(List.of(), result.unprocessedPutItemsForTable(orders));
    }
    expect(70, read("c1", "o07").getAmount());
    expect(null, read("c0", "o07"));
    System.out.println("ok: items written in batches, and read");
  }

  /** Lets the second of two writers of one order lose, and shows it the order. */
  static void conditions() {
    var first = Expression.builder().expression("attribute_not_exists(id)").build();
    var put = PutItemEnhancedRequest.builder(Order.class).item(new Order("c1", "o07", "open", 0)).conditionExpression(first)
        .returnValuesOnConditionCheckFailure(ALL_OLD).build();
    var error = refused(ConditionalCheckFailedException.class, () -> orders.putItem(put));
    expect(AttributeValue.fromN("70"), error.item().get("amount"));
    System.out.println("ok: the second writer lost");
  }

  static void update() {
    Order order = new Order("c1", "o07", "paid", 75);
    order.setTags(Set.of("gift", "new"));
    var change = UpdateItemEnhancedRequest.builder(Order.class).item(order).conditionExpression(ifState("open")).build();
    Order paid = orders.updateItem(change);
    expect(List.of(75, "paid", Set.of("gift", "new")), List.of(paid.getAmount(), paid.getState(), paid.getTags()));
    refused(ConditionalCheckFailedException.class, () -> orders.updateItem(change));
    System.out.println("ok: updated once; its condition does not hold twice");
  }

  /** Commits two writes together, and then nothing of two of which one is refused. */
  static void transaction() {
    pay("o02", "o05");
    var error = refused(TransactionCanceledException.class, () -> pay("o08", "o05"));
    expect(List.of("None", "ConditionalCheckFailed"), error.cancellationReasons().stream().map(CancellationReason::code).toList());
    expect("open", read("c2", "o08").getState());
    System.out.println("ok: a transaction is all or nothing");
  }

  static void pay(String... ids) {
    db.transactWriteItems(writes -> {
      for (String id : ids) {
        Order order = read("c2", id);
        order.setState("paid");
        var update = TransactUpdateItemEnhancedRequest.builder(Order.class).item(order).conditionExpression(ifState("open"));
        writes.addUpdateItem(orders, update.build());
      }
    });
  }

  /** Reads a customer's orders by pages, an index from its end, and the whole table. */
  static void queries() {
    var o1 = sortBeginsWith(key -> key.partitionValue("c0").sortValue("o1"));
    var found = orders.query(query -> query.queryConditional(o1).limit(2)).items();
    expect(List.of("o12", "o15", "o18"), found.stream().map(Order::getId).toList());
    var above20 = sortGreaterThan(key -> key.partitionValue("paid").sortValue(20));
    var paid = orders.index("by-state").query(query -> query.queryConditional(above20).scanIndexForward(false));
    expect(List.of("o07", "o05"), paid.stream().flatMap(page -> page.items().stream()).map(Order::getId).toList());
    expect(30L, orders.scan().items().stream().count());
    System.out.println("ok: queries by pages and by the index, a scan");
  }

  static Order read(String customer, String id) {
    Key key = Key.builder().partitionValue(customer).sortValue(id).build();
    return orders.getItem(request -> request.key(key).consistentRead(true));
  }

  static Expression ifState(String state) {
    return Expression.builder().expression("#state = :state").putExpressionName("#state", "state")
        .putExpressionValue(":state", AttributeValue.fromS(state)).build();
  }

  static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  static void expect(Object want, Object got) {
    if (!Objects.equals(want, got)) throw new AssertionError(got + ", not " + want);
  }

  static <E extends RuntimeException> E refused(Class<E> kind, Runnable operation) {
    try {
      operation.run();
    } catch (RuntimeException error) {
      return kind.cast(error);
    }
    throw new AssertionError("not refused with " + kind.getSimpleName());
  }
}
