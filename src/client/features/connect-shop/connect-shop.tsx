import { useState, type ReactNode } from 'react'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { Retailer } from '../../../shared/schemas/retailer'
import type { ShopFormatChoice } from '../../../shared/schemas/shop-format'
import { lazyPart } from '../../components/feedback/lazy-part'
import { LoadingBlock } from '../../components/feedback/loading-block'
import type { FailedQuery } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import type { Shop } from '../../lib/shop-view'
import { trpc } from '../../trpc'
import { AddressStep } from './address-step'
import { SendPage } from './send-page'
import { findLastUse } from './shop-read'
import { ShopState } from './shop-state'
import { ShopTiles } from './shop-tiles'
import { SHOP_VIEWERS, type ShopViewer } from './shop-viewer'
import { shopOfFormat } from './shops'
import { useFeedAddress } from './use-feed-address'

import classes from './connect-shop.module.css'

const FormatStep = lazyPart(async () => (await import('./format-step')).FormatStep, {
  name: 'shop format',
  height: 560,
})

const GuideStep = lazyPart(async () => (await import('./guide-step')).GuideStep, {
  name: 'guide',
  height: 480,
})

interface ConnectShopProps {
  retailer: Retailer
  /** The shop that is chosen in the URL. */
  shop: Shop | undefined
  onChoose: (shop: Shop) => void
  viewedBy: ShopViewer['role']
  /** Other ways in which the file is read. */
  others: ReactNode
}

/** Connects a retailer's shop in four steps, and is the state of that shop afterwards. */
export function ConnectShop(props: ConnectShopProps) {
  const addresses = trpc.feedAddresses.list.useQuery({ id: props.retailer.id })
  const choice = trpc.profiles.get.useQuery({ id: props.retailer.id })
  if (addresses.isPending || choice.isPending) {
    return <LoadingBlock height={520} label="Loading the shop" />
  }
  return <Loaded {...props} addresses={addresses} choice={choice} />
}

type Loadable<Data> = FailedQuery & { isError: boolean; data: Data | undefined }

interface LoadedProps extends ConnectShopProps {
  addresses: Loadable<FeedAddress[]>
  choice: Loadable<ShopFormatChoice>
}

function Loaded({ retailer, shop, onChoose, viewedBy, others, ...queries }: LoadedProps) {
  const { addresses, choice } = queries
  const { id } = retailer
  const viewer = SHOP_VIEWERS[viewedBy]
  const form = choice.data?.profile ?? ({ kind: 'asIs', delimiter: 'comma' } as const)
  const address = useFeedAddress({ retailerId: id, addresses: addresses.data, kind: form.kind })
  const chosen = shop ?? shopOfFormat(form.kind)
  const isReadAtFirst = useState(() => isRead(addresses.data))[0]
  const state = (
    <div className={classes.state}>
      <ShopState retailerId={id} viewer={viewer} query={addresses} />
      {viewedBy === 'supplier' && (
        <SendPage
          retailer={retailer}
          shop={chosen}
          origin={address.origin}
          newUrl={address.newUrl}
          hasPassword={address.password !== null}
        />
      )}
    </div>
  )
  return (
    <div className={classes.layout}>
      {isReadAtFirst && state}
      <div className={classes.main}>
        <div className={classes.steps}>
          <Panel title="Shop or program" description={`What reads the stock for ${viewer.shop}`}>
            <ShopTiles chosen={chosen} onChoose={onChoose} />
          </Panel>
          <FormatStep retailerId={id} viewer={viewer} shop={shop} query={choice} />
          <AddressStep retailerId={id} viewer={viewer} query={addresses} calls={address} />
          <GuideStep shop={chosen} form={form} address={address} />
        </div>
        {others}
      </div>
      {!isReadAtFirst && state}
    </div>
  )
}

const isRead = (addresses: FeedAddress[] | undefined) =>
  addresses !== undefined && findLastUse(addresses) !== null
