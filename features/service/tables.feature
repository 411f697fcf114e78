Feature: Tables from a description
  A file describes tables and everything that belongs to them. The same file works on the emulator, on any
  DynamoDB-compatible store and on AWS, any number of times.

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
  Scenario: Tables are created from a description
    When the tables are created from the description
    Then the change "create key alias/orders" was made
    And the change "orders: create table" was made
    And the change "orders: set point-in-time recovery to 35 days" was made
    When an item of "orders" with the id "7", which expires in 3 days, is put
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    When 4 days pass
    And the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-D1 @needs:commands
  Scenario: A described table has its index, stream, tags and key
    When the tables are created from the description
    And the item {"id": "7", "state": "new"} is put into "orders"
    Then the index "by-state" of "orders" holds 1 item
    And the stream of "orders" shows
      | event  | before | after                       |
      | INSERT |        | {"id": "7", "state": "new"} |
    And the tags of "orders" are {"team": "shop"}
    When "orders" is disabled
    And the item {"id": "7"} of "orders" is read
    Then it is refused with ValidationException because "KMS key disabled error"

  @SV-D1 @needs:commands
  Scenario: A described alarm works
    When the tables are created from the description
    And an item of "orders" with the id "7", which expires in 1 day, is put
    And 25 hours pass
    Then the alarm "orders-deleted" went from OK to ALARM

  @SV-D2.nothing @needs:commands
  Scenario: Applying a description twice changes nothing the second time
    When the tables are created from the description
    And the tables are created from the description
    Then nothing was changed

  @SV-D2.changed @SV-D2.left @needs:commands
  Scenario: Differences are changed in place
    When the tables are created from the description
    And the description has "project: all" instead of "project: keys", "by-day" instead of "by-state" and "partition: day" instead of "partition: state"
    And the description has "recovery_days: 7" instead of "recovery_days: 35"
    And the tables are created from the description
    Then the change "orders: create index by-day" was made
    And the change "orders: set point-in-time recovery to 7 days" was made
    And the notice "orders: index by-state is not in the file" was given

  @SV-D3 @needs:commands
  Scenario: A change that is not possible is refused, and nothing is changed
    When the tables are created from the description
    And the description has "recovery_days: 7" instead of "recovery_days: 35"
    And the description has "key: {partition: number}" instead of "key: {partition: id}"
    And the tables are created from the description
    Then the change is refused because "the key cannot be changed from (id) to (number)"
    And nothing was changed

  @SV-D4 @needs:commands
  Scenario: Existing tables can be described and created elsewhere
    When the tables are created from the description
    And the emulator's tables are written as a description
    And an emulator
    And the tables are created from the description
    Then the emulator's tables match the description
    When the tables are created from the original description
    Then nothing was changed

  @SV-D5 @needs:commands
  Scenario: A mistake is refused with its line number
    When the description has "recovery_days: 350" instead of "recovery_days: 35"
    And the tables are created from the description
    Then the change is refused because "tables.yaml:9: recovery_days 350: use 1 to 35, or omit it"
