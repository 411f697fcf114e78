import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An order of a customer. An index finds orders by state and amount. */
@DynamoDbBean
public class Order {
  private String customer;
  private String id;
  private String state;
  private Integer amount;
  private Set<String> tags;

  public Order() {}

  public Order(String customer, String id, String state, int amount) {
    this.customer = customer;
    this.id = id;
    this.state = state;
    this.amount = amount;
  }

  @DynamoDbPartitionKey
  public String getCustomer() { return customer; }
  public void setCustomer(String customer) { this.customer = customer; }

  @DynamoDbSortKey
  public String getId() { return id; }
  public void setId(String id) { this.id = id; }

  @DynamoDbSecondaryPartitionKey(indexNames = "by-state")
  public String getState() { return state; }
  public void setState(String state) { this.state = state; }

  @DynamoDbSecondarySortKey(indexNames = "by-state")
  public Integer getAmount() { return amount; }
  public void setAmount(Integer amount) { this.amount = amount; }

  public Set<String> getTags() { return tags; }
  public void setTags(Set<String> tags) { this.tags = tags; }
}
