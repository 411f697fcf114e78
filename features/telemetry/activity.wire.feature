Feature: The activity of a device, on the wire
  A delivery records the last activity of its device with one conditional update.

  Background:
    Given the device "cellar" is registered
    And 10 minutes pass

  @TL-D7.noted
  Scenario: A delivery updates the last activity and the place in the list
    When "cellar" delivers the reading "r1" taken 3 minutes ago
    Then the store received an UpdateItem of "devices" where "hardware_id = '{cellar}'", setting "SET last_seen_at = '{now}', gsi1sk = '{now}'"
    And the item of "devices" where "hardware_id = '{cellar}'" has:
      | last_seen_at | '{now}' |
      | gsi1sk       | '{now}' |

  @TL-D7.seldom
  Scenario: A delivery within 5 minutes of the last one sends no update
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When 4 minutes pass
    And earlier requests are ignored
    And "cellar" delivers the reading "r2" taken 3 minutes ago
    Then the store received no UpdateItem of "devices"

  @TL-D7.once
  Scenario: Many simultaneous deliveries update the activity once
    Given each UpdateItem of "devices" waits until 2 have arrived and no more follow
    When 8 senders deliver the reading "r1" of "cellar" at once
    Then exactly 1 UpdateItem of "devices" succeeded, and the others failed their condition

  @TL-D7.noted
  Scenario: A delivery does not create an unregistered device
    Given a device "stranger" that is not registered
    When "stranger" delivers the reading "r1" taken 3 minutes ago
    Then it is rejected because of "hardware_id"
    And table "devices" holds 1 item
