Feature: The table's quota and the limit of one partition key
  The document promises bursts of 40,000 read and 40,000 write units. A table can have that many. One partition key is
  served by one partition, which handles 1,000 write and 3,000 read units a second, whatever the table has left.

  Background:
    Given an emulator with the cloud behaviour throttling
    And AuthBridgeTable is warmed up for 40000 reads and 40000 writes a second

  @VR-D5 @needs:commands
  Scenario: Writes to one hot case are throttled, writes to many cases are not
    When one case of 100 write units is written 14 times
    Then 4 of them are refused with ThrottlingException
    When 1 second passes
    And 40 cases of 100 write units are written
    Then all of them succeed

  @VR-D5 @needs:commands
  Scenario: Reads of one hot case are throttled, reads of many cases are not
    Given 40 cases of 100 write units are written
    And 1 second passes
    When one case of 25 read units is read 130 times
    Then 10 of them are refused with ThrottlingException
    When 1 second passes
    And 40 cases of 25 read units are read 4 times each
    Then all of them succeed

  @VR-D5 @needs:commands
  Scenario: All cases of a day share one partition of the date index
    When 14 cases of 100 write units are written that were created on "2026-01-14"
    Then 4 of them are refused with ThrottlingException
    When 1 second passes
    And 7 cases of 100 write units are written that were created on "2026-01-15"
    Then all of them succeed
