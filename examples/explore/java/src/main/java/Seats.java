import java.util.Map;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The seats of a theatre: each goes to the guest who books it first. */
class Seats {
  private final DynamoDbClient db =
      DynamoDbClient.builder().httpClient(UrlConnectionHttpClient.create()).build();

  void createTable() {
    db.createTable(r -> r.tableName("seats").billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(a -> a.attributeName("seat").attributeType(ScalarAttributeType.S))
        .keySchema(k -> k.attributeName("seat").keyType(KeyType.HASH)));
  }

  /** Books a seat, and returns whether the guest has it. */
  boolean book(String seat, String guest) {
    try {
      db.putItem(r -> r.tableName("seats")
          .item(Map.of("seat", AttributeValue.fromS(seat), "guest", AttributeValue.fromS(guest)))
          .conditionExpression("attribute_not_exists(seat)"));
      return true;
    } catch (ConditionalCheckFailedException taken) {
      return false;
    }
  }
}
