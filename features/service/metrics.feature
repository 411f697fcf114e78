Feature: Metrics
  The activity of tables is measured with the names, dimensions and units of CloudWatch, and available there and for
  Prometheus.

  @SV-M1.consumed @needs:commands
  Scenario: Consumed capacity is measured for a table and its index
    Given an emulator
    And a table "orders" with the key "id" and the index "by-city" by "city"
    When the item {"id": "1", "city": "Turku"} is put into "orders"
    And the item {"id": "2"} is put into "orders"
    And the item {"id": "1"} of "orders" is read consistently
    And the item {"id": "1"} of "orders" is read
    Then the Sum of ConsumedWriteCapacityUnits of "orders" is 2
    And the Sum of ConsumedWriteCapacityUnits of the index "by-city" of "orders" is 1
    And the Sum of ConsumedReadCapacityUnits of "orders" is 1.5
    And the Sum of ConsumedReadCapacityUnits of the index "by-city" of "orders" is none
    And the metrics of "orders" are listed with ConsumedReadCapacityUnits

  @SV-M1.consumed @needs:commands
  Scenario: A transaction consumes double units in the table and single units in the index
    Given an emulator
    And a table "orders" with the key "id" and the index "by-city" on "city"
    When a client sends a transaction of:
      | Put of "orders" with {"id": "1", "city": "Turku"} |
      | Put of "orders" with {"id": "2"}                  |
    Then it succeeds
    And it consumed 5 units
    And it consumed 1 unit of the index "by-city"
    And the Sum of ConsumedWriteCapacityUnits of "orders" is 4
    And the Sum of ConsumedWriteCapacityUnits of the index "by-city" of "orders" is 1

  @SV-M1.succeeded @SV-M1.failed @needs:commands
  Scenario: Successful and failed requests are counted
    Given an emulator
    And a table "orders" with the key "id"
    When the item {"id": "1"} is put into "orders"
    And the item {"id": "1"} is put into "orders" only if "attribute_not_exists(id)"
    And the item {"id": "1"} of "no-such-table" is read
    Then the SampleCount of SuccessfulRequestLatency of PutItem on "orders" is 1
    And the Sum of ConditionalCheckFailedRequests of "orders" is 1
    And the Sum of UserErrors of the account is 1
    And the Sum of SystemErrors of PutItem on "orders" is none

  @SV-M2.set @SV-M2.quota @needs:commands
  Scenario: Provisioned capacity is reported from when it was set
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 5 reads and 10 writes a second
    When 1 minute passes
    And "orders" is given a capacity of 5 reads and 40 writes a second
    Then the Minimum of ProvisionedWriteCapacityUnits of "orders" is 10
    And the Maximum of ProvisionedWriteCapacityUnits of "orders" is 40
    And the Maximum of MaxProvisionedTableWriteCapacityUtilization of the account is 0.1
    When "orders" is given a capacity of 5 reads and 80 writes a second
    And 1 minute passes
    And "orders" is given a capacity of 5 reads and 20 writes a second
    Then the Maximum of ProvisionedWriteCapacityUnits of "orders" is 80

  @SV-M3.reason @SV-M3.users @needs:commands
  Scenario: A throttled write is counted with its reason
    Given an emulator with the cloud behaviour throttling
    And a table "orders" with the key "id" and a capacity of 1 read and 1 write a second
    When items are put into "orders" until one is refused
    Then the Sum of WriteThrottleEvents of "orders" is 1
    And the Sum of WriteProvisionedThroughputThrottleEvents of "orders" is 1
    And the Sum of ThrottledRequests of PutItem on "orders" is 1
    And the Sum of UserErrors of the account is none

  @SV-M4 @needs:commands
  Scenario: Expired items are counted
    Given an emulator
    And a table "sessions" with the key "id"
    And items of "sessions" expire at their "until"
    And an item of "sessions" with the id "7", which expires in 1 day, is put
    When 2 days pass
    Then the Sum of TimeToLiveDeletedItemCount of "sessions" is 1

  @SV-M5 @needs:commands
  Scenario: Prometheus reads the same figures
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 5 reads and 10 writes a second
    When the item {"id": "1"} is put into "orders"
    And the item {"id": "2"} is put into "orders"
    Then Prometheus reads aws_dynamodb_consumed_write_capacity_units_total of "orders" as 2
    And Prometheus reads aws_dynamodb_provisioned_read_capacity_units of "orders" as 5

  @SV-M6.average @SV-M6.percentiles @needs:commands
  Scenario: A program can publish its own metrics
    Given an emulator
    When the metric Checkout of "Shop" receives the values 20, 40, 10, 30
    Then the Average of the metric Checkout of "Shop" is 25
    And the p50 of the metric Checkout of "Shop" is 20
    And the SampleCount of the metric Checkout of "Shop" is 4
