"""What a client made with openapi-python-client does with a running marketplace."""

import sys
import time
import uuid

from generated import AuthenticatedClient
from generated.api.offers import (
    create_offer,
    delete_offer,
    end_offer,
    get_end_offer,
    get_offer,
    list_offers,
    update_offer,
)
from generated.api.users import create_user
from generated.models import (
    AddressInput,
    CountryCodeInput,
    CurrencyCodeInput,
    OfferCreate,
    OfferEndInput,
    OfferEndReasonInput,
    OfferUpdate,
    PriceInput,
    ReferenceInput,
    UserCreate,
)

VERSION = "application/vnd.service.public.v1+json"


def main(base_url: str, token: str) -> None:
    headers = {"Accept": VERSION, "User-Agent": "openapi-python-client/1"}
    client = AuthenticatedClient(base_url=base_url, token=token, headers=headers)

    user = UserCreate(name="bookworm", email=f"{uuid.uuid4()}@example.com")
    seller = create_user.sync_detailed(client=client, body=user).parsed
    fields = {
        "name": "Road bicycle",
        "buy_now": PriceInput(amount="1899.00", currency=CurrencyCodeInput.PLN),
        "address": AddressInput(city="Gdynia", country_code=CountryCodeInput.PL),
    }
    offer = OfferCreate(seller=ReferenceInput(id=seller.id), **fields)

    assert create_offer.sync_detailed(client=client, body=offer, dry_run=True).status_code == 204
    created = create_offer.sync_detailed(client=client, body=offer)
    assert created.status_code == 201, created
    offer_id = created.parsed.id

    found = list_offers.sync_detailed(
        client=client, seller_id=[seller.id], buy_now_amount_gte="1.00", sort="-buyNow,createdAt"
    )
    assert [offer.id for offer in found.parsed.offers] == [offer_id]

    read = get_offer.sync_detailed(offer_id, client=client)
    tag = read.headers["ETag"]
    replacement = OfferUpdate(stock=2, **fields)
    replaced = update_offer.sync_detailed(offer_id, client=client, body=replacement, if_match=tag)
    assert replaced.parsed.stock == 2, replaced
    stale = update_offer.sync_detailed(offer_id, client=client, body=replacement, if_match=tag)
    assert stale.status_code == 412, stale

    command_id = uuid.uuid4()
    reason = OfferEndInput(reason=OfferEndReasonInput.OTHER)
    sent = end_offer.sync_detailed(offer_id, command_id, client=client, body=reason)
    assert sent.status_code == 201, sent
    status = sent.parsed.status
    for _ in range(100):
        if status != "RUNNING":
            break
        time.sleep(0.1)
        status = get_end_offer.sync_detailed(offer_id, command_id, client=client).parsed.status
    assert status == "SUCCESSFUL", status

    assert delete_offer.sync_detailed(offer_id, client=client).status_code == 204


if __name__ == "__main__":
    main(*sys.argv[1:3])
