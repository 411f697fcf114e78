Feature: The clock
  Everything that expires asks one clock. It can be moved, stopped and sped up, so that nobody waits for a month to pass.

  Background:
    Given an emulator
    And a table "sessions" with the key "id"
    And items of "sessions" end at their "until"
    And an item of "sessions" with the id "7" that ends in 30 days

  @SV-O1.due @needs:commands
  Scenario: A clock that is moved has done what fell due
    When POST /_tabletop/clock/advance is sent with {"duration": "719h"}
    And the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When POST /_tabletop/clock/advance is sent with {"duration": "2h"}
    And the item {"id": "7"} of "sessions" is read
    Then there is no such item

  @SV-O1.due @needs:commands
  Scenario: An item is there in its last second, and gone in the one after the next
    When 30 days pass
    And the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When 2 seconds pass
    And the item {"id": "7"} of "sessions" is read
    Then there is no such item

  @SV-O1.frozen @needs:commands
  Scenario: A clock stands still until it is told to go on
    When POST /_tabletop/clock/freeze is sent
    Then the clock shows the same time twice
    When POST /_tabletop/clock/resume is sent
    Then the clock soon shows another time

  @SV-O2.fast @needs:commands
  Scenario: A fast clock brings what is due by itself
    When PUT /_tabletop/clock is sent with {"frozen": false, "speed": 1000000}
    Then the item {"id": "7"} of "sessions" is soon gone

  @SV-O2.slow @needs:commands
  Scenario: A slow clock is slow
    When PUT /_tabletop/clock is sent with {"frozen": false, "speed": 0.001}
    Then the emulator answers 200 and says ""speed":0.001"
    When GET /_tabletop/clock is sent
    Then the emulator answers 200 and says ""speed":0.001"
    When the item {"id": "7"} of "sessions" is read
    Then it has the id "7"
    When POST /_tabletop/clock/speed is sent with {"speed": 0}
    Then the emulator answers 422 and says "speed"
