Feature: The clock
  Everything that expires uses one clock. It can be moved, frozen and sped up, so that nobody waits for a month to
  pass.

  Background:
    Given an emulator
    And a table "sessions" with the key "id"
    And items of "sessions" expire at their "until"
    And an item of "sessions" with the id "7", which expires in 30 days, is put

  @SV-O1.due @needs:commands
  Scenario: Moving the clock expires items
    When POST /_tabletop/clock/advance is sent with {"duration": "719h"}
    And the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When POST /_tabletop/clock/advance is sent with {"duration": "2h"}
    And the item {"id": "7"} of "sessions" is read
    Then there is no such item

  @SV-O1.due @needs:commands
  Scenario: An item exists until its expiry time and is gone two seconds later
    When 30 days pass
    And the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When 2 seconds pass
    And the item {"id": "7"} of "sessions" is read
    Then there is no such item

  @SV-O1.frozen @needs:commands
  Scenario: A frozen clock stands still until it is resumed
    Given the clock runs by itself
    And the clock advances
    When POST /_tabletop/clock/freeze is sent
    Then the clock stands still
    When POST /_tabletop/clock/resume is sent
    Then the clock advances

  @SV-O2.fast @needs:commands
  Scenario: A fast clock expires items by itself
    When PUT /_tabletop/clock is sent with {"frozen": false, "speed": 1000000}
    Then the item {"id": "7"} of "sessions" is soon gone

  @SV-O2.slow @needs:commands
  Scenario: A clock can be slowed down
    When PUT /_tabletop/clock is sent with {"frozen": false, "speed": 0.001}
    Then the emulator responds with 200 and shows ""speed":0.001"
    When GET /_tabletop/clock is sent
    Then the emulator responds with 200 and shows ""speed":0.001"
    And the clock advances more slowly than real time
    When the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When POST /_tabletop/clock/speed is sent with {"speed": 0}
    Then the emulator responds with 422 and shows "speed"
