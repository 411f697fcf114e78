Feature: The admin API
  A developer can inspect and control the emulator over HTTP below /_tabletop/. Nobody else can: no other machine, and
  no web page in the developer's browser.

  @SV-O3.snapshots @needs:commands
  Scenario: A snapshot is taken and restored
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "state": "new"} is put into "orders"
    When POST /_tabletop/snapshots is sent with {"id": "before"}
    Then the emulator responds with 201
    When the item {"id": "7", "state": "paid"} is put into "orders"
    And POST /_tabletop/snapshots/before/restore is sent
    Then the emulator responds with 204
    When the item {"id": "7"} of "orders" is read
    Then it is {"id": "7", "state": "new"}

  @SV-O3.reset @needs:commands
  Scenario: A reset deletes everything
    Given an emulator
    And a table "orders" with the key "id"
    When POST /_tabletop/reset is sent
    Then the emulator responds with 204
    When the item {"id": "7"} of "orders" is read
    Then it is refused with ResourceNotFoundException

  @SV-O3.described @needs:commands
  Scenario: The emulator describes its settings and its admin API
    Given an emulator with the cloud behaviour lag
    When GET /_tabletop/info is sent
    Then the emulator responds with 200 and shows "like the cloud: lag"
    When GET /_tabletop/openapi.json is sent
    Then the emulator responds with 200 and shows "/_tabletop/clock/advance"
    When GET /_tabletop/docs is sent
    Then the emulator responds with 200 and shows "curl"

  @SV-O3.errors @needs:commands
  Scenario: A bad admin request gets a helpful error
    Given an emulator
    When POST /_tabletop/clock/advance is sent with {"duration": "a while"}
    Then the emulator responds with 422 and shows "write it as 24h"
    When POST /_tabletop/clock/rewind is sent
    Then the emulator responds with 404 and shows "/_tabletop/docs"

  @SV-O4.origin @needs:commands
  Scenario Outline: A web page of another origin is refused: <request>, <header>
    Given an emulator
    When <request> is sent with the header "<header>"
    Then the emulator responds with 403 and shows "other origins"

    Examples:
      | request                      | header                        |
      | POST /_tabletop/reset        | Origin: https://evil.example  |
      | POST /_tabletop/reset        | Origin: http://127.0.0.1:1    |
      | POST /_tabletop/reset        | Origin: null                  |
      | GET /_tabletop/info          | Sec-Fetch-Site: cross-site    |
      | GET /_tabletop/docs          | Sec-Fetch-Site: same-site     |
      | GET /metrics                 | Origin: https://evil.example  |

  @SV-O4.name @needs:commands
  Scenario: A web page that uses DNS rebinding is refused
    Given an emulator
    When GET /_tabletop/info is sent with the header "Host: evil.example"
    Then the emulator responds with 403 and shows "evil.example"
    When GET /metrics is sent with the header "Host: evil.example"
    Then the emulator responds with 403 and shows "evil.example"

  @SV-O4.form @needs:commands
  Scenario: An HTML form cannot send admin requests
    Given an emulator
    And a table "orders" with the key "id"
    When POST /_tabletop/reset is sent with the header "Content-Type: text/plain"
    Then the emulator responds with 415 and shows "application/json"
    When the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-O5.closed @SV-O5.open @needs:commands
  Scenario: Admin requests from other machines must be enabled at the start
    Given an emulator that other machines reach
    When GET /_tabletop/info is sent
    Then the emulator responds with 403 and shows "--admin"
    Given an emulator that other machines reach, with its admin API open to the host "desk.example"
    When GET /_tabletop/info is sent with the header "Host: desk.example"
    Then the emulator responds with 200
    When GET /_tabletop/info is sent with the header "Host: evil.example"
    Then the emulator responds with 403 and shows "evil.example"
