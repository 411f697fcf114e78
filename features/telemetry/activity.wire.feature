Feature: The activity of a device on the wire
  A delivery notes when its device was heard of last, with one conditional update a device.

  Background:
    Given the device "cellar" is registered
    And 10 minutes pass

  @TL-D7.noted
  Scenario: A delivery is noted by an update of the time and of the place in the listing
    When "cellar" delivers the reading "r1" taken 3 minutes ago
    Then the store was asked for an UpdateItem of "devices" where "hardware_id = '{cellar}'", setting "SET last_seen_at = '{now}', gsi1sk = '{now}'"
    And the item of "devices" where "hardware_id = '{cellar}'" has:
      | last_seen_at | '{now}' |
      | gsi1sk       | '{now}' |

  @TL-D7.seldom
  Scenario: A delivery within 5 minutes of the last one asks for no update
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When 4 minutes pass
    And what was asked before is forgotten
    And "cellar" delivers the reading "r2" taken 3 minutes ago
    Then the store was never asked for an UpdateItem of "devices"

  @TL-D7.once
  Scenario: Many deliveries at once are noted as one
    Given each UpdateItem of "devices" waits until 2 are there and no more come
    When 8 senders deliver the reading "r1" of "cellar" at once
    Then exactly 1 UpdateItem of "devices" succeeded, and the condition of others did not hold

  @TL-D7.noted
  Scenario: A device that is not registered is not made by a delivery
    Given a device "stranger" that is not registered
    When "stranger" delivers the reading "r1" taken 3 minutes ago
    Then it is rejected because of "hardware_id"
    And table "devices" holds 1 item
