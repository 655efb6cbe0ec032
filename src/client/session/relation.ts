import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

import type { OwnRetailer } from '../../shared/schemas/retailer'
import { trpc } from '../trpc'
import { useSignedInUser } from './current-user'

/** Which of its suppliers a retailer's page is about, in its address; see `server/http/pages/first-calls`. */
export interface RelationSearch {
  relation?: number
}

export const readRelation = ({ relation }: Record<string, unknown>): RelationSearch =>
  Number.isSafeInteger(relation) && Number(relation) > 0 ? { relation: Number(relation) } : {}

const storageKey = (companyId: number) => `stockbridge-relation-${companyId}`

function readRemembered(companyId: number): number | undefined {
  try {
    return readRelation({ relation: Number(localStorage.getItem(storageKey(companyId))) }).relation
  } catch {
    // A browser that keeps nothing begins with the first supplier.
    return undefined
  }
}

function remember(companyId: number, id: number): void {
  try {
    localStorage.setItem(storageKey(companyId), String(id))
  } catch {
    // As above.
  }
}

/** Which retailer is meant: that of the address, or the one chosen last; undefined: the first. */
export function useRelation(): { id: number } | undefined {
  const { id: companyId } = useSignedInUser()
  const { relation } = useSearch({ strict: false })
  const id = relation ?? readRemembered(companyId)
  return id === undefined ? undefined : { id }
}

/** The signed-in retailer, as it is to the chosen supplier. */
export const useOwnRetailer = (options: { enabled?: boolean } = {}) =>
  trpc.retailers.own.useQuery(useRelation(), options)

/** The same, the one before until another one is loaded. */
export const useLastOwnRetailer = (options: { enabled: boolean }) =>
  trpc.retailers.own.useQuery(useRelation(), { ...options, placeholderData: keepPreviousData })

/** Shows another supplier: on the same page, or on the dashboard when that is about none. */
export function useChooseRelation(): (id: number) => void {
  const { id: companyId } = useSignedInUser()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (id) => {
    remember(companyId, id)
    const to = path === '/retailer' || path.startsWith('/retailer/') ? path : '/retailer'
    void navigate({ to, search: { relation: id } })
  }
}

/**
 * Keeps the shown one of several suppliers in the address and for the next visit.
 * @param retailer undefined while it is not known
 */
export function useKeepRelation(retailer: OwnRetailer | undefined): void {
  const shown = retailer?.id
  const { retailers } = trpc.useUtils()
  const { id: companyId } = useSignedInUser()
  const navigate = useNavigate()
  const { relation } = useSearch({ strict: false })
  const isOfRetailer = useRouterState({
    select: ({ location }) => /^\/retailer(?:\/|$)/.test(location.pathname),
  })
  useEffect(() => {
    if (shown === undefined || !isOfRetailer) return
    remember(companyId, shown)
    if (relation === shown) return
    // What was asked for without an address is known already.
    const supplier = retailers.supplier.getData()
    if (retailer && relation === undefined) retailers.own.setData({ id: shown }, retailer)
    if (supplier && relation === undefined) retailers.supplier.setData({ id: shown }, supplier)
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, relation: shown }),
      replace: true,
      resetScroll: false,
    })
  }, [companyId, shown, retailer, retailers, relation, isOfRetailer, navigate])
}
