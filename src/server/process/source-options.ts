/** The options with which Node runs a program of the sources. */
export const RUN_SOURCES = ['--import', new URL('./run-sources.mjs', import.meta.url).href]
