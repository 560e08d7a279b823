-- The library from Lua, by LuaJIT's FFI:
--
--     printf 'see http://bücher.example/ and www.example.org' | luajit links.lua
--     4 27 iri http://xn--bcher-kva.example/
--     32 47 bare https://www.example.org
local ffi = require "ffi"

-- The part of iriscan.h that is used. The header itself cannot be read, because it has directives
-- of the preprocessor.
ffi.cdef [[
typedef struct iriscan_finder iriscan_finder;
typedef struct iriscan_links iriscan_links;
typedef struct {
    size_t size;
    uint32_t kinds;
    const char *charset, *format, *rules, *schemes, *host, *query, *nfc, *fields;
    uint64_t max_len;
    uint32_t flags, reserved;
} iriscan_options;
typedef struct iriscan_link iriscan_link;
int32_t iriscan_finder_new(const iriscan_options *, iriscan_finder **);
void iriscan_finder_free(iriscan_finder *);
int32_t iriscan_find(const iriscan_finder *, const char *, size_t, iriscan_links **);
size_t iriscan_links_count(const iriscan_links *);
const iriscan_link *iriscan_links_get(const iriscan_links *, size_t);
void iriscan_links_free(iriscan_links *);
const char *iriscan_link_get(const iriscan_link *, uint32_t, size_t *);
uint64_t iriscan_link_start(const iriscan_link *, uint32_t);
uint64_t iriscan_link_end(const iriscan_link *, uint32_t);
uint32_t iriscan_link_kind(const iriscan_link *);
const char *iriscan_kind_name(uint32_t);
const char *iriscan_last_error(void);
]]
-- IRISCAN_FIELD_ and IRISCAN_UNIT_ of iriscan.h.
local IRI, OPEN, BYTES = 2, 4, 0
local iriscan = ffi.load("libiriscan.so.0")

local function check(status)
    if status < 0 then error(ffi.string(iriscan.iriscan_last_error()), 2) end
end

-- A finder that is freed with its last reference. `options` has the names of iriscan.h.
local function Finder(options)
    local given = ffi.new("iriscan_options")
    given.size = ffi.sizeof(given)
    -- The strings stay alive in `options` until the call returns.
    for name, value in pairs(options) do given[name] = value end
    local out = ffi.new("iriscan_finder *[1]")
    check(iriscan.iriscan_finder_new(given, out))
    return ffi.gc(out[0], iriscan.iriscan_finder_free)
end

-- What a link says in a field; nil if it says nothing there.
local function get(link, field)
    local size = ffi.new("size_t[1]")
    local text = iriscan.iriscan_link_get(link, field, size)
    return text ~= nil and ffi.string(text, size[0]) or nil
end

-- The links of a string, as a list of tables.
local function find(finder, text)
    local out = ffi.new("iriscan_links *[1]")
    check(iriscan.iriscan_find(finder, text, #text, out))
    local links = ffi.gc(out[0], iriscan.iriscan_links_free)
    local found = {}
    for i = 1, tonumber(iriscan.iriscan_links_count(links)) do
        local link = iriscan.iriscan_links_get(links, i - 1)
        found[i] = {
            start = tonumber(iriscan.iriscan_link_start(link, BYTES)),
            stop = tonumber(iriscan.iriscan_link_end(link, BYTES)),
            kind = ffi.string(iriscan.iriscan_kind_name(iriscan.iriscan_link_kind(link))),
            iri = get(link, IRI),
            open = get(link, OPEN),
        }
    end
    return found
end

local finder = Finder { kinds = 7, charset = "utf-8" }
for _, link in ipairs(find(finder, io.read("*a"))) do
    print(link.start, link.stop, link.kind, link.open)
end
local works, message = pcall(Finder, { format = "docx" })
assert(not works and message:find("docx", 1, true), message)
