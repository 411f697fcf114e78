Feature: Cost
  Every request, stored byte and hour of capacity has a price on AWS. The emulator counts them by its clock, so that a
  bill is known in advance.

  @SV-P1.units @needs:commands
  Scenario: A response states what the request costs
    Given an emulator that reports what requests cost in "us-east-1"
    And a table "orders" with the key "id"
    When the item {"id": "1"} is put into "orders"
    Then it costs $0.000000625, for 1 write and 0 reads
    When the item {"id": "1"} of "orders" is read
    Then it costs $0.0000000625, for 0 writes and 0.5 reads
    When the item {"id": "1"} of "orders" is read consistently
    Then it costs $0.000000125, for 0 writes and 1 read

  @SV-P1.region @SV-P1.provisioned @needs:commands
  Scenario: A request has the price of its region
    Given an emulator that reports what requests cost in "eu-central-1"
    And a table "orders" with the key "id"
    And a table "stock" with the key "id" and a capacity of 5 reads and 5 writes a second
    When the item {"id": "1"} is put into "orders"
    Then it costs $0.0000007625, for 1 write and 0 reads
    When the item {"id": "1"} is put into "stock"
    Then it costs $0, for 1 write and 0 reads

  @SV-P2.demand @SV-P2.provisioned @needs:commands
  Scenario: A run is priced by its usage, each table by its billing mode
    Given an emulator
    And a table "orders" with the key "id"
    And a table "stock" with the key "id" and a capacity of 10 reads and 20 writes a second
    When 100 items are put into "orders"
    And 100 items are put into "stock"
    And 3 hours pass
    Then the run of "orders" costs $0.0000625 for 100 units of on-demand writes
    And the run of "stock" costs $0.039 for 60 unit-hours of write capacity
    And the run of "stock" costs $0.0039 for 30 unit-hours of read capacity

  @SV-P2.begin @needs:commands
  Scenario: Starting a run ends the previous one
    Given an emulator
    And a table "orders" with the key "id"
    When 100 items are put into "orders"
    And POST /_tabletop/cost/begin is sent
    And 7 items are put into "orders"
    Then the run of "orders" costs $0.000004375 for 7 units of on-demand writes

  @SV-P3 @needs:commands
  Scenario: A month is extrapolated from the run
    Given an emulator
    And a table "orders" with the key "id"
    And a key "alias/orders"
    When 100 items are put into "orders"
    And 2 hours pass
    Then a month of "orders" costs $0.0228125 for 36500 units of on-demand writes
    And a month of the account costs $1 for 1 key-months of customer managed keys

  @SV-P4.sources @SV-P4.refused @needs:commands
  Scenario: A bill names its assumptions and the source of each price
    Given an emulator
    And a table "orders" with the key "id"
    When 1 item is put into "orders"
    And GET /_tabletop/cost?region=eu-west-1 is sent
    Then the emulator responds with 200 and shows "https://aws.amazon.com/blogs/database/new-amazon-dynamodb-lowers-pricing-for-on-demand-throughput-and-global-tables/"
    And the emulator responds with 200 and shows "A month is 730 hours"
    When GET /_tabletop/cost?region=moon-1 is sent
    Then the emulator responds with 422 and shows "use one of ap-southeast-2, eu-central-1, eu-west-1, us-east-1, us-east-2, us-west-2"
    When GET /_tabletop/cost?monthly=true is sent
    Then the emulator responds with 422 and shows "advance the clock"

  @SV-P4.others @needs:commands
  Scenario: A bill can use other prices
    Given an emulator
    When POST /_tabletop/cost is sent with {"prices": "date: 2026-01-01\nsources: {deal: {url: our contract, date: 2026-01-01}}\nregions: {us-east-1: {prices: {write-request-units: {usd: 0.5, per: 1000000, source: deal}}}}"}
    Then the emulator responds with 200 and shows "2026-01-01"
    When POST /_tabletop/cost is sent with {"prices": "date: soon"}
    Then the emulator responds with 422 and shows "prices:1: date"
