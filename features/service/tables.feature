Feature: Tables of one description
  A file says what tables there are and all that belongs to them. The same file does on the emulator, on any DynamoDB and on
  AWS, as often as one likes.

  Background:
    Given an emulator
    And the description
      """
      keys:
        - {alias: alias/orders, rotation_days: 365}
      tables:
        - name: orders
          key: {partition: id}
          indexes:
            - {name: by-state, key: {partition: state}, project: keys}
          ttl: until
          recovery_days: 35
          encryption: alias/orders
          stream: new-and-old-images
          tags: {team: shop}
          alarms:
            - {name: orders-deleted, metric: TimeToLiveDeletedItemCount, period: 1m, when: "> 0", missing: notBreaching}
      """

  @SV-D1 @needs:commands
  Scenario: What is described is made, and works
    When the tables are made of it
    Then it was done that "make the key alias/orders"
    And it was done that "orders: make the table"
    And it was done that "orders: keep 35 days of recovery"
    When an item of "orders" with the id "7" that ends in 3 days
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    When 4 days pass
    And the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-D1 @needs:commands
  Scenario: An alarm that is described goes off
    When the tables are made of it
    And an item of "orders" with the id "7" that ends in 1 days
    And 25 hours pass
    Then the alarm "orders-deleted" went from OK to ALARM

  @SV-D2.nothing @needs:commands
  Scenario: Making it twice does nothing the second time
    When the tables are made of it
    And the tables are made of it
    Then nothing was done

  @SV-D2.changed @SV-D2.left @needs:commands
  Scenario: What differs is changed in place
    When the tables are made of it
    And it is described with "project: all" for "project: keys", "by-day" for "by-state" and "partition: day" for "partition: state"
    And it is described with "recovery_days: 7" for "recovery_days: 35"
    And the tables are made of it
    Then it was done that "orders: make the index by-day"
    And it was done that "orders: keep 7 days of recovery"
    And it was left that "orders: the index by-state is not in the file"

  @SV-D3 @needs:commands
  Scenario: What cannot be changed is refused, and nothing is done
    When the tables are made of it
    And it is described with "recovery_days: 7" for "recovery_days: 35"
    And it is described with "key: {partition: number}" for "key: {partition: id}"
    And the tables are made of it
    Then it is refused to make them because "its key is (id) and cannot become (number)"
    And nothing was done

  @SV-D4 @needs:commands
  Scenario: What there is can be described and made elsewhere
    When the tables are made of it
    And what the emulator has is described
    And an emulator
    And the tables are made of it
    Then the emulator has what is described

  @SV-D5 @needs:commands
  Scenario: A mistake is refused by its line
    When it is described with "recovery_days: 350" for "recovery_days: 35"
    And the tables are made of it
    Then it is refused to make them because "tables.yaml:9: recovery_days 350: from 1 to 35"
