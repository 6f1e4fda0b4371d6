-- shows: Which pictures show the same as an earlier one?
-- no_demo: "its pictures differ"

-- exact: the same bytes; near: hashes that differ in 6 of 64 bits at most, of another item, since the frames of one
-- item may look alike.
with pictures as (
    select
        image_id, frame, domain, sha256,
        case when phash <> '' then cast('0x' || phash as ubigint) end as bits,
        row_number() over (order by image_id, frame) as place,
        -- of 7 bands of the 64 bits, at least one is equal where no more than 6 bits differ
        list_transform(range(7), lambda band: band * 512 + ((bits >> (9 * band)) & 511)) as bands
    from images
    where path <> ''
),

-- of each digest, the first picture
firsts as (
    select sha256, min(place) as place
    from pictures
    group by sha256
),

exact as (
    select p.place, f.place as of_place, 'exact' as kind, 0 as distance
    from pictures as p
    inner join firsts as f using (sha256)
    where f.place < p.place
),

-- of each hash, the first picture and the first one of another item: whichever picture resembles them resembles one of
-- the two,
-- and a thousand blank pages make no million pairs
heads as (
    select bits, bands, min(place) as place, arg_min(image_id, place) as image_id
    from pictures
    where bits is not null
    group by bits, bands
),

known as (
    select bits, place, image_id, unnest(bands) as band
    from heads
    union all
    select p.bits, min(p.place), arg_min(p.image_id, p.place), unnest(any_value(p.bands))
    from pictures as p
    inner join heads as l using (bits)
    where p.image_id <> l.image_id
    group by p.bits
),

asked as (
    select p.bits, p.place, p.image_id, unnest(p.bands) as band
    from pictures as p
    inner join firsts as f using (place)
),

near as (
    select
        a.place,
        arg_min(k.place, (bit_count(xor(a.bits, k.bits)), k.place)) as of_place,
        'near' as kind,
        min(bit_count(xor(a.bits, k.bits))) as distance
    from asked as a
    inner join known as k using (band)
    where k.place < a.place and k.image_id <> a.image_id and bit_count(xor(a.bits, k.bits)) <= 6
    group by a.place
),

found as (
    select place, of_place, kind, distance from exact
    union all
    select place, of_place, kind, distance from near
)

select p.image_id, p.frame, p.domain, f.kind, o.image_id as of_image_id, o.frame as of_frame, o.domain as of_domain,
    f.distance
from found as f
inner join pictures as p using (place)
inner join pictures as o on o.place = f.of_place
order by p.place;
