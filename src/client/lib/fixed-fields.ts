import { createContext, useContext } from 'react'

export const FixedFieldsContext = createContext(false)

/** Whether whoever looks may not change a field; those of the browser are disabled by their fieldset. */
export const useIsFixed = (): boolean => useContext(FixedFieldsContext)
